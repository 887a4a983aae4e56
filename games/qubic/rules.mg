# Qubic: tic-tac-toe in a cube; four in a row win. The four levels lie side by side.

uses rows

dimensions (19, 4)
sides = 1
no moves = draw

pieces { mark 'X' 'O' }

setup {
    "...._...._...._...."
    "...._...._...._...."
    "...._...._...._...."
    "...._...._...._...."
}

evaluation {
    # Rows of four without a mark of the opponent.
    ones 1 : count [ open_with (mark, 4, 1) ] + count [ upright_row, four_with (climb, 1) ] +
        count [ rising_row, four_with ([ step, climb ], 1) ]
    twos 6 : count [ open_with (mark, 4, 2) ] + count [ upright_row, four_with (climb, 2) ] +
        count [ rising_row, four_with ([ step, climb ], 2) ]
    threes 24 : count [ open_with (mark, 4, 3) ] + count [ upright_row, four_with (climb, 3) ] +
        count [ rising_row, four_with ([ step, climb ], 3) ]
    tempo 10 mover : 1
}

main =
    find empty field,
    called (column / 5 + 1) (row) (column % 5),  # level, row, column
    replace by mark,
    irreversible,
    try [ four_in_a_row, win ].

# On one level, straight up, or rising.
four_in_a_row =
    find own mark,
    either [ any direction, repeat 3 times [ step, points at own mark ] ]
    or [ repeat 3 times [ climb, points at own mark ] ]
    or [ any direction, repeat 3 times [ step, climb, points at own mark ] ].

climb = move to (column + 5, row).

# For the evaluation.

upright_row = find any field, assert (column < 5).

rising_row = upright_row, any direction.

# A row of four this way is open, and has so many own marks.
four_with (go, number) =
    test [ not points at opponent's mark, repeat 3 times [ go, not points at opponent's mark ] ],
    assert (count [ test points at own mark ] + count [ test [ go, points at own mark ] ] +
        count [ test [ go, go, points at own mark ] ] +
        count [ test [ go, go, go, points at own mark ] ] == number).
