# Hex: White joins the lower and the upper side of the board with a chain of stones, Black the left and the right.

parameter size = 11 [2 .. 26]
parameter swap = 1 [0 .. 1]  # whether Black may take over White's first stone

topology hex
dimensions (size, size)
sides = 1
no moves = error  # a full board always has a winner

pieces { stone 'X' 'O' }

notation { coordinates }

evaluation {
    # Rows, or columns, in which one has a stone.
    reach 16 : count [ find own stone, sideways, while step do nothing ]
    bridges 9 : count [ find own stone, bridge, points at own stone ]
    linked 3 : count [ find own stone, any direction, step, points at own stone ]
    at_sides 8 : count [ find own stone, at_side ]
    central 3 : count [
        find own stone,
        assert (4 * column > size && 4 * column < 3 * size + 4 && 4 * row > size &&
            4 * row < 3 * size + 4)
    ]
    tempo 15 mover : 1
}

main =
    either [ find empty field, replace by stone ] or take_over,
    irreversible,
    try [ joined, win ].

joined = either [ white to move, joins_rows ] or [ black to move, joins_columns ].

joins_rows = test [ chain, assert (row == 1) ], test [ chain, assert (row == size) ].

joins_columns = test [ chain, assert (column == 1) ], test [ chain, assert (column == size) ].

chain = repeat 0 .. infinity times [ any direction, step, points at own stone ].

# White's only stone becomes Black's, mirrored as the goals are.
take_over =
    assert (swap),
    black to move,
    assert (count [ find any piece ] == 1),
    find opponent's stone,
    replace by empty field,
    move to (row, column),
    replace by stone.

# For the evaluation.

sideways = either [ white to move, west ] or [ black to move, south ].

at_side =
    either [ white to move, assert (row == 1 || row == size) ]
    or [ black to move, assert (column == 1 || column == size) ].

# Two fields with two common neighbours that are both empty.
bridge =
    any direction,
    test [ step, points at empty field ],
    turn 60,
    test [ step, points at empty field ],
    step,
    turn -60,
    step.
