# Breakthrough draughts: international draughts in which the first king wins.

based on "international-draughts"

evaluation {
    material { man 100 }
    table man =
        "0 0 0 0 0"
        "300 300 300 300 300"
        "140 140 140 140 140"
        "80 80 80 80 80"
        "48 48 48 48 48"
        "28 28 28 28 28"
        "14 16 16 16 16"
        "6 8 8 8 8"
        "2 2 2 2 2"
        "16 14 16 14 16"
    held 6 : count [
        find own man,
        test [ either southwest or southeast, step, points at own piece ]
    ]
    # Men that no opponent can meet any more, one step after the other.
    free 150 : count [ find own man, assert (row >= 6), not met ]
    tempo 8 mover : 1
}

crown = assert (row == 10), replace by king, win.

met =
    test [
        north,
        repeat 0 .. 3 times step,
        either nothing or [ either east or west, repeat 1 .. 3 times step ],
        north,
        step,
        points at opponent's man
    ].
