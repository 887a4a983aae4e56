# Toguz korgool, the mancala of Kyrgyzstan and Kazakhstan: nine holes with nine balls each; more than 81 balls win.

topology graph
dimensions (9, 2)
sides = 2  # each player sees the own holes in row 1
no moves = error

directions {
    on / back : a1 b1 c1 d1 e1 f1 g1 h1 i1 i2 h2 g2 f2 e2 d2 c2 b2 a2 a1
}

properties {
    balls : field  : [0 .. 162]
    store : player : [0 .. 162]
    tuz   : player : [0 .. 9]  # the opponent's hole whose balls this player gets, as the opponent counts; 0 for none
    hand  : move   : [0 .. 162]
}

setup {
    balls =
        "9 9 9 9 9 9 9 9 9"
        "9 9 9 9 9 9 9 9 9"
}

evaluation {
    stored 100 : store
    even_threats 10 : count [ their_hole, assert (balls % 2 == 1) ]
    has_tuz 600 : tuz > 0
    balls_at_home 3 : sum (balls) [ own_hole ]
    tempo 20 mover : 1
}

main = try [ sow, try over ] else take_the_rest.

# The first ball goes back into its hole, unless it is the only one.
sow =
    own_hole,
    assert (balls > 0),
    called (column),
    assign (hand = balls > 1 ? balls - 1 : 1, balls = balls > 1),
    on,
    while assert (hand > 0) do [ step, assign (balls++, hand--) ],
    try [ assert (row == 2), either take or make_tuz ],
    empty_tuz,
    as opponent empty_tuz.

# An even number in a hole of the opponent.
take = assert (balls % 2 == 0), assign (store += balls, balls = 0).

# Three in a hole of the opponent, for good: only one, not the ninth, and not opposite to the opponent's tuz.
make_tuz =
    assert (balls == 3 && tuz == 0 && column > 1 && opponent's tuz != 10 - column),
    assign (tuz = 10 - column).

# Whatever lies in a tuz belongs to its owner.
empty_tuz =
    try [ assert (tuz > 0), move to (10 - tuz, 2), assign (store += balls, balls = 0) ].

own_hole = find any field, assert (row == 1).

their_hole = find any field, assert (row == 2).

over = either [ assert (store > 81), win ] or [ assert (opponent's store > 81), lose ].

# The opponent gets what is left.
take_the_rest = score (store - opponent's store - sum (balls) [ their_hole ]).
