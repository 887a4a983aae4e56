# Y: the first to join all three sides of the triangle with one chain of stones wins.

parameter size = 11 [2 .. 26]
parameter swap = 1 [0 .. 1]  # whether Black may take over White's first stone

topology hex
dimensions (size, size)
sides = 1
no moves = error  # a full board always has a winner

pieces {
    stone   'X' 'O'
    outside '#'
}

setup { apply half }

notation { coordinates }

evaluation {
    # Fields from which each side is at most this many stones away; bridges cost nothing.
    joined_0 60 : count [
        find own stone,
        test [ links, side_1 ],
        test [ links, side_2 ],
        test [ links, side_3 ]
    ]
    joined_1 20 : count [
        find [own stone or empty field],
        test [ links_1, side_1 ],
        test [ links_1, side_2 ],
        test [ links_1, side_3 ]
    ]
    joined_2 10 : count [
        find [own stone or empty field],
        test [ links_2, side_1 ],
        test [ links_2, side_2 ],
        test [ links_2, side_3 ]
    ]
    joined_3 5 : count [
        find [own stone or empty field],
        test [ links_3, side_1 ],
        test [ links_3, side_2 ],
        test [ links_3, side_3 ]
    ]
    bridges 9 : count [ find own stone, bridge, points at own stone ]
    linked 3 : count [ find own stone, any direction, step, points at own stone ]
    tempo 15 mover : 1
}

half = for each any field do [ assert (column + row > size + 1), replace by outside ].

main =
    either [ find empty field, replace by stone ] or take_over,
    irreversible,
    try [ joined, win ].

joined =
    test [ chain, assert (column == 1) ],
    test [ chain, assert (row == 1) ],
    test [ chain, assert (column + row == size + 1) ].

chain = repeat 0 .. infinity times [ any direction, step, points at own stone ].

take_over =
    assert (swap),
    black to move,
    assert (count [ find [own stone or opponent's stone] ] == 1),
    find opponent's stone,
    replace by stone.

# For the evaluation.

hop = either [ any direction, step, north ] or [ bridge, north ].

links = repeat 0 .. infinity times [ hop, points at own stone ].

links_1 = repeat 0 .. 1 times [ links, hop, points at empty field ], links.

links_2 = repeat 0 .. 2 times [ links, hop, points at empty field ], links.

links_3 = repeat 0 .. 3 times [ links, hop, points at empty field ], links.

side_1 = assert (column == 1).

side_2 = assert (row == 1).

side_3 = assert (column + row == size + 1).

# Two fields with two common neighbours that are both empty.
bridge =
    any direction,
    test [ step, points at empty field ],
    turn 60,
    test [ step, points at empty field ],
    step,
    turn -60,
    step.
