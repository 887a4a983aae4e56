# Bagh chal, from Nepal: four tigers leap over goats to capture five of them, twenty goats try to hem the tigers in.
# White has the goats.

dimensions (5, 5)
sides = 1
no moves = loss
repetition = draw 3

pieces {
    goat  'G' 'g'  # only White has them
    tiger 'T' 't'  # only Black has them
}

properties {
    to_place : board : [0 .. 20]  # goats
    captured : board : [0 .. 5]
    quiet    : board : [0 .. 100] unhashed  # moves since a goat was placed or captured
}

setup {
    "t...t"
    "....."
    "....."
    "....."
    "t...t"
    to_place = 20
}

notation { coordinates }

looks {
    goat   "●"
    tiger  "▲"
    fields "lines"
}

evaluation {
    goats_lost -140 : count [ white to move, north ] * captured
    tigers_stuck 60 : count [
        white to move,
        find opponent's tiger,
        not [ way, step, points at empty field ],
        not [ way, step, points at own goat, step, points at empty field ]
    ]
    threats 60 : count [
        black to move,
        find own tiger,
        way,
        step,
        points at opponent's goat,
        step,
        points at empty field
    ]
    mobility 4 : count [ black to move, find own tiger, way, step, points at empty field ]
    tempo 10 mover : 1
}

main =
    either [ white to move, try place else goat_step ]
    or [ black to move, tiger_move ],
    try [ assert (quiet == 100), draw ].

place =
    assert (to_place > 0),
    find empty field,
    replace by goat,
    assign (to_place--, quiet = 0),
    irreversible.

goat_step = find own goat, pick up, way, step, points at empty field, put down, assign (quiet++).

tiger_move =
    find own tiger,
    pick up,
    way,
    step,
    either [ points at empty field, assign (quiet++) ] or leap,
    put down,
    try [ assert (captured == 5), win ].

leap =
    points at opponent's goat,
    replace by empty field,
    step,
    points at empty field,
    assign (captured++, quiet = 0),
    irreversible.

# Every second point has diagonal lines.
way = either orthogonal or [ assert ((row + column) % 2 == 0), diagonal ].
