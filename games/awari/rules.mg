# Awari: sow the seeds of one house around the board, take twos and threes from the opponent's; most seeds win.

topology graph
dimensions (6, 2)
sides = 2  # each player sees the own houses in row 1
no moves = error

directions {
    on / back : a1 b1 c1 d1 e1 f1 f2 e2 d2 c2 b2 a2 a1
}

properties {
    seeds  : field  : [0 .. 48]
    store  : player : [0 .. 48]
    hand   : move   : [0 .. 48]
    origin : move   : [0 .. 6]
    quiet  : board  : [0 .. 100] unhashed  # moves since the last capture
}

setup {
    seeds =
        "4 4 4 4 4 4"
        "4 4 4 4 4 4"
}

evaluation {
    stored 100 : store
    seeds_at_home 6 : sum (seeds) [ own_house ]
    full_houses 14 : count [ own_house, assert (seeds > 0) ]
    in_danger -16 : count [ own_house, assert (seeds == 1 || seeds == 2) ]
    heavy 24 : count [ own_house, assert (seeds >= 12) ]
    first_house 3 : sum (seeds) [ own_house, assert (column <= 2) ]
    tempo 10 mover : 1
}

main = try [ sow, try capture, fed, try over ] else take_the_rest.

# Around the board, without the house where the seeds come from.
sow =
    own_house,
    assert (seeds > 0),
    called (column),
    assign (origin = column, hand = seeds, seeds = 0, quiet++),
    on,
    while assert (hand > 0) do [
        step,
        try [ assert (row == 1 && column == origin), step ],
        assign (seeds++, hand--)
    ].

# Back from the last seed; but who would take everything takes nothing.
capture =
    test ripe,
    while ripe do [ assign (store += seeds, seeds = 0), step backward ],
    fed,
    assign (quiet = 0),
    irreversible.

ripe = assert (row == 2 && (seeds == 2 || seeds == 3)).

# The opponent must have seeds to play with.
fed = test [ their_house, assert (seeds > 0) ].

own_house = find any field, assert (row == 1).

their_house = find any field, assert (row == 2).

over =
    either [ assert (store > 24), win ]
    or [ assert (quiet == 100), split ].

take_the_rest = called "rest", score (store + sum (seeds) [ own_house ] - opponent's store).

# Nothing will happen any more: each player takes the seeds in the own houses.
split = score (store + sum (seeds) [ own_house ] - opponent's store - sum (seeds) [ their_house ]).
