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
    # How many stones are needed to join the sides; each level is one stone more.
    joins_with_1 40 : count [ needs_1, at_goal ] > 0
    joins_with_2 40 : count [ needs_2, at_goal ] > 0
    joins_with_3 40 : count [ needs_3, at_goal ] > 0
    joins_with_4 40 : count [ needs_4, at_goal ] > 0
    joins_with_5 40 : count [ needs_5, at_goal ] > 0
    joins_with_6 40 : count [ needs_6, at_goal ] > 0
    bridges 7 : count [ find own stone, bridge, points at own stone ]
    central 2 : count [
        find own stone,
        assert (4 * column > size && 4 * column < 3 * size + 4 && 4 * row > size &&
            4 * row < 3 * size + 4)
    ]
    tempo 30 mover : 1
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

# For the evaluation: fields reached from one's side over own stones and a number of empty fields.

needs_1 =
    one_side,
    either [ points at own stone, chain, around ] or nothing,
    points at empty field,
    north,
    chain.

needs_2 = needs_1, more.
needs_3 = needs_2, more.
needs_4 = needs_3, more.
needs_5 = needs_4, more.
needs_6 = needs_5, more.

more = either nothing or [ around, points at empty field, north, chain ].

around = any direction, step.

one_side =
    find [own stone or empty field],
    either [ white to move, assert (row == 1) ] or [ black to move, assert (column == 1) ].

at_goal =
    either [ white to move, assert (row == size) ] or [ black to move, assert (column == size) ].

# Two stones with two common neighbours that are both empty.
bridge =
    any direction,
    test [ step, points at empty field ],
    turn 60,
    test [ step, points at empty field ],
    step,
    turn -60,
    step.
