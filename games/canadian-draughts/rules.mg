# Canadian draughts: the rules of international draughts on twelve by twelve fields with thirty men each.

based on "international-draughts"

dimensions (12, 12)

properties {
    captured : move : [0 .. 30]
}

setup {
    ".b.b.b.b.b.b"
    "b.b.b.b.b.b."
    ".b.b.b.b.b.b"
    "b.b.b.b.b.b."
    ".b.b.b.b.b.b"
    "............"
    "............"
    "w.w.w.w.w.w."
    ".w.w.w.w.w.w"
    "w.w.w.w.w.w."
    ".w.w.w.w.w.w"
    "w.w.w.w.w.w."
}

evaluation {
    phase = count [ find any piece ] [4 .. 60]

    material { man 100 .. 110  king 270 .. 310 }
    advance 1 .. 5 : sum (row) [ find own man ]
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

crown = assert (row == 12), replace by king.
