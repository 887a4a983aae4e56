# Brazilian draughts: the rules of international draughts on eight by eight fields.

based on "international-draughts"

dimensions (8, 8)

setup {
    ".b.b.b.b"
    "b.b.b.b."
    ".b.b.b.b"
    "........"
    "........"
    "w.w.w.w."
    ".w.w.w.w"
    "w.w.w.w."
}

evaluation {
    phase = count [ find any piece ] [4 .. 24]

    material { man 100 .. 110  king 290 .. 330 }
    table man =
        "0 0 0 0"
        "26 28 28 28"
        "14 18 18 18"
        "8 12 16 16"
        "2 6 10 10"
        "0 3 5 5"
        "2 2 3 3"
        "5 5 5 5"
        ..
        "0 0 0 0"
        "60 60 60 60"
        "40 42 42 42"
        "26 28 28 28"
        "16 16 16 16"
        "8 8 8 8"
        "4 4 4 4"
        "0 0 0 0"
    mobility 3 .. 3 : count [
        find own man,
        either northwest or northeast,
        step,
        points at empty field
    ]
    held 5 .. 2 : count [
        find own man,
        test [ either southwest or southeast, step, points at own piece ]
    ]
    tempo 4 mover : 1
}

crown = assert (row == 8), replace by king.
