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
    # Fields from which both sides are at most this many stones away; bridges cost nothing.
    joined_0 60 : count [ find own stone, test [ links, near_side ], test [ links, far_side ] ]
    joined_1 20 : count [
        find [own stone or empty field],
        test [ links_1, near_side ],
        test [ links_1, far_side ]
    ]
    joined_2 10 : count [
        find [own stone or empty field],
        test [ links_2, near_side ],
        test [ links_2, far_side ]
    ]
    joined_3 5 : count [
        find [own stone or empty field],
        test [ links_3, near_side ],
        test [ links_3, far_side ]
    ]
    bridges 9 : count [ find own stone, bridge, points at own stone ]
    linked 3 : count [ find own stone, any direction, step, points at own stone ]
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

hop = either [ any direction, step, north ] or [ bridge, north ].

links = repeat 0 .. infinity times [ hop, points at own stone ].

links_1 = repeat 0 .. 1 times [ links, hop, points at empty field ], links.

links_2 = repeat 0 .. 2 times [ links, hop, points at empty field ], links.

links_3 = repeat 0 .. 3 times [ links, hop, points at empty field ], links.

near_side = either [ white to move, assert (row == 1) ] or [ black to move, assert (column == 1) ].

far_side =
    either [ white to move, assert (row == size) ] or [ black to move, assert (column == size) ].

# Two fields with two common neighbours that are both empty.
bridge =
    any direction,
    test [ step, points at empty field ],
    turn 60,
    test [ step, points at empty field ],
    step,
    turn -60,
    step.
