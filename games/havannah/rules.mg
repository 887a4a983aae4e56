# Havannah: a chain of stones that joins two corners, or three sides, or closes a ring, wins.

topology hex
dimensions (9, 9)
no moves = draw

pieces { stone 'O' 'X' }

setup {
    ".....____"
    "......___"
    ".......__"
    "........_"
    "........."
    "_........"
    "__......."
    "___......"
    "____....."
}

notation { coordinates }

looks {
    stone "○" "●"
}

evaluation {
    # Fields whose chain joins three sides, or two corners, with this many more stones; bridges cost nothing.
    fork_0 60 : count [ find own stone, assert (count [ links, to_side ] >= 3) ]
    fork_1 14 : count [
        find [own stone or empty field],
        assert (count [ links_1, to_side ] >= 3)
    ]
    fork_2 4 : count [ find [own stone or empty field], assert (count [ links_2, to_side ] >= 3) ]
    bridge_0 60 : count [ find own stone, assert (count [ links, corner, north ] >= 2) ]
    bridge_1 14 : count [
        find [own stone or empty field],
        assert (count [ links_1, corner, north ] >= 2)
    ]
    bridge_2 4 : count [
        find [own stone or empty field],
        assert (count [ links_2, corner, north ] >= 2)
    ]
    two_sides 5 : count [ find own stone, assert (count [ links, to_side ] >= 2) ]
    one_side 4 : count [ find own stone, test [ links, to_side ] ]
    one_corner 4 : count [ find own stone, test [ links, corner ] ]
    threats 50 : count [ find empty field, completes ]
    double_threat 400 : count [ find empty field, completes ] >= 2
    winning 1500 mover : count [ find empty field, completes ] >= 1
    ring_2 24 : count [
        find any field,
        assert (count [ own_neighbour ] == 4),
        assert (count [ empty_neighbour ] == 2)
    ]
    ring_3 5 : count [
        find any field,
        assert (count [ own_neighbour ] == 3),
        assert (count [ empty_neighbour ] == 3)
    ]
    bridges 9 : count [ find own stone, diagonal_hop, points at own stone ]
    linked 3 : count [ find own stone, any direction, step, points at own stone ]
    table stone =
        "0 0 0 0 0 _ _ _ _"
        "0 6 6 6 6 0 _ _ _"
        "0 6 10 10 10 6 0 _ _"
        "0 6 10 12 12 10 6 0 _"
        "0 6 10 12 14 12 10 6 0"
        "_ 0 6 10 12 12 10 6 0"
        "_ _ 0 6 10 10 10 6 0"
        "_ _ _ 0 6 6 6 6 0"
        "_ _ _ _ 0 0 0 0 0"
    tempo 15 mover : 1
}

main =
    find empty field,
    replace by stone,
    irreversible,
    try [ test either bridge or fork or ring, win ].

chain = repeat 0 .. infinity times [ any direction, step, points at own stone ].

# Two corners. A corner has three neighbours.
bridge = assert (count [ chain, corner, north ] >= 2).

corner = assert (count [ any direction, step ] == 3).

# Three sides. Where two neighbouring directions lead off the board is a side, and the first of them tells which.
fork =
    assert (count [
        chain,
        not corner,
        any direction,
        not step,
        not [ turn 60, step ],
        move to (5, 5)
    ] >= 3).

# Something is surrounded: a field whose neighbours are all own stones, or one with no way to the border between them.
ring =
    assert (count [ own_neighbour ] >= 2),
    either [ optionally [ any direction, step ], assert (count [ own_neighbour ] == 6) ]
    or [ clear_step, not [ repeat 0 .. infinity times clear_step, border ] ].

own_neighbour = any direction, step, points at own stone.

clear_step = any direction, step, not points at own stone.

border = assert (count [ any direction, step ] < 6).

# For the evaluation.

hop = either [ any direction, step, north ] or [ diagonal_hop, north ].

links = repeat 0 .. infinity times [ hop, points at own stone ].

links_1 = links, repeat 0 .. 1 times [ hop, points at empty field, links ].

links_2 = links, repeat 0 .. 2 times [ hop, points at empty field, links ].

# A stone here wins. Of rings only the smallest are seen.
completes =
    test either bridge or fork or [ any direction, step, assert (count [ own_neighbour ] == 5) ].

empty_neighbour = any direction, step, points at empty field.

# On a side, or a row before it with two ways to it.
to_side =
    any direction,
    either at_edge
    or [
        test [ step, points at empty field, at_edge ],
        test [ turn 60, step, points at empty field, turn -60, at_edge ]
    ],
    move to (5, 5).

at_edge = not step, not [ turn 60, step ], not corner.

# Two fields with two common neighbours that are both empty.
diagonal_hop =
    any direction,
    test [ step, points at empty field ],
    turn 60,
    test [ step, points at empty field ],
    step,
    turn -60,
    step.
