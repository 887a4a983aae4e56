# Notakto: both players write crosses on three boards; three in a row kill a board, and who kills the last one loses.

dimensions (11, 3)
sides = 1
no moves = error  # who kills the last board has lost

pieces { cross 'X' }

setup {
    "..._..._..."
    "..._..._..."
    "..._..._..."
}

notation { coordinates }

properties {
    board : move : [0 .. 3]
}

main =
    find empty field,
    not dead,
    replace by cross,
    irreversible,
    try [ not [ find empty field, not dead ], lose ].

# Somewhere on the board under the finger are three in a row.
dead =
    assign (board = column / 4 + 1),
    test [
        find cross,
        assert (column / 4 + 1 == board),
        any direction,
        repeat 2 times [ step, points at cross ]
    ].
