# Kalah: sow the seeds of one house around the board and into your store; most seeds in the store win.

parameter filling = 4 [1 .. 6]

topology graph
dimensions (8, 2)
sides = 2  # each player sees the own houses in row 1, the own store at its end
no moves = error

directions {
    on / back : b1 c1 d1 e1 f1 g1 h1 g2 f2 e2 d2 c2 b2 a2 b1
}

properties {
    seeds : field : [0 .. 72]
    hand  : move  : [0 .. 72]
}

setup {
    "......._"
    "_......."
    apply fill
}

fill = for each any field do [ house, assign (seeds = filling) ].

main = sow, try [ own_store, keep turn ] else try capture, try over.

sow =
    find any field,
    own_house,
    assert (seeds > 0),
    called (column - 1),
    assign (hand = seeds, seeds = 0),
    on,
    while assert (hand > 0) do [ step, try [ their_store, step ], assign (seeds++, hand--) ].

# The last seed in an empty house of one's own, with the seeds on the other side.
capture =
    own_house,
    assert (seeds == 1),
    move to (column, 2),
    assert (seeds > 0),
    assign (hand = seeds + 1, seeds = 0),
    move to (column, 1),
    assign (seeds = 0),
    move to (8, 1),
    assign (seeds += hand).

# One side is empty: each player has the seeds on the own side.
over =
    either not find_seeds or as opponent not find_seeds,
    score (sum (seeds) [ own_side ] - sum (seeds) [ their_side ]).

own_side = find any field, assert (row == 1).

their_side = find any field, assert (row == 2).

find_seeds = find any field, own_house, assert (seeds > 0).

house = either own_house or as opponent own_house.

own_house = assert (row == 1 && column < 8).

own_store = assert (row == 1 && column == 8).

their_store = as opponent own_store.
