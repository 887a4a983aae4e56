# Qubic: tic-tac-toe in a cube; four in a row win. The four levels lie side by side.

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
    ones 1 : count [ flat_row, assert (count [ flat ] == 1) ] + count [
        upright_row,
        assert (count [ test points at own mark ] + count [ test up_1 ] + count [ test up_2 ] +
            count [ test up_3 ] == 1)
    ] + count [
        rising_row,
        assert (count [ test points at own mark ] + count [ test rising_1 ] +
            count [ test rising_2 ] + count [ test rising_3 ] == 1)
    ]
    twos 6 : count [ flat_row, assert (count [ flat ] == 2) ] + count [
        upright_row,
        assert (count [ test points at own mark ] + count [ test up_1 ] + count [ test up_2 ] +
            count [ test up_3 ] == 2)
    ] + count [
        rising_row,
        assert (count [ test points at own mark ] + count [ test rising_1 ] +
            count [ test rising_2 ] + count [ test rising_3 ] == 2)
    ]
    threes 24 : count [ flat_row, assert (count [ flat ] == 3) ] + count [
        upright_row,
        assert (count [ test points at own mark ] + count [ test up_1 ] + count [ test up_2 ] +
            count [ test up_3 ] == 3)
    ] + count [
        rising_row,
        assert (count [ test points at own mark ] + count [ test rising_1 ] +
            count [ test rising_2 ] + count [ test rising_3 ] == 3)
    ]
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

flat_row =
    find any field,
    either north or northeast or east or southeast,
    test [ not points at opponent's mark, repeat 3 times [ step, not points at opponent's mark ] ].

upright_row =
    find any field,
    assert (column < 5),
    test [
        not points at opponent's mark,
        repeat 3 times [ climb, not points at opponent's mark ]
    ].

rising_row =
    find any field,
    assert (column < 5),
    any direction,
    test [
        not points at opponent's mark,
        repeat 3 times [ step, climb, not points at opponent's mark ]
    ].

flat = repeat 0 .. 3 times step, points at own mark.

up_1 = climb, points at own mark.

up_2 = climb, up_1.

up_3 = climb, up_2.

rising_1 = step, climb, points at own mark.

rising_2 = step, climb, rising_1.

rising_3 = step, climb, rising_2.
