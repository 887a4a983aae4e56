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
