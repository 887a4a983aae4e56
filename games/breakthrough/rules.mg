# Breakthrough: the first pawn on the opponent's home row wins.

dimensions (8, 8)
no moves = loss

pieces { pawn 'w' 'b' }

setup {
    "bbbbbbbb"
    "bbbbbbbb"
    "........"
    "........"
    "........"
    "........"
    "wwwwwwww"
    "wwwwwwww"
}

notation { coordinates }

evaluation {
    material { pawn 100 }
    table pawn =
        "  0   0   0   0"
        "160 160 160 160"
        " 60  60  60  60"
        " 28  32  32  32"
        " 10  14  16  16"
        "  2   4   6   6"
        "  2   2   4   4"
        " 12  10  10  10"
    guarded 8 : count [
        find own pawn,
        test [ either southwest or southeast, step, points at own pawn ]
    ]
    attacked -14 : count [
        find own pawn,
        test [ either northwest or northeast, step, points at opponent's pawn ],
        not test [ either southwest or southeast, step, points at own pawn ]
    ]
    free 90 : count [ find own pawn, assert (row >= 4), not blocked ]
    tempo 12 mover : 1
}

main =
    find own pawn,
    pick up,
    either [ north, step, points at empty field ]
    or [ either northwest or northeast, step, not points at own pawn ],
    put down,
    irreversible,
    try [ either assert (row == 8) or not find opponent's pawn, win ].

# An opponent's pawn ahead, on the same column or beside it.
blocked =
    test [
        either nothing or [ either west or east, step ],
        north,
        repeat 1 .. infinity times step,
        points at opponent's pawn
    ].
