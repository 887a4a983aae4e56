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
