# Six men's morris: nine men's morris with six men on a smaller board, where nobody flies.

based on "nine-mens-morris"

dimensions (5, 5)

directions {
    north / south :
        a1 a3 a5, b2 b3 b4, c1 c2, c4 c5, d2 d3 d4, e1 e3 e5
    east / west   :
        a1 c1 e1, b2 c2 d2, a3 b3, d3 e3, b4 c4 d4, a5 c5 e5
}

setup {
    "._._."
    "_..._"
    ".._.."
    "_..._"
    "._._."
    to_place = 6, 6
}

evaluation {
    material { man 120 }
    mills 10 : count [ find own man, mill ]
    half_mills 35 : count [
        find empty field,
        either [ any direction, repeat 2 times [ step, points at own man ] ] or between_two,
        north
    ]
    mobility 10 : count [ find own man, any direction, step, points at empty field, north ]
    blocked -14 : count [ find own man, not [ any direction, step, points at empty field ] ]
    tempo 8 mover : 1
}

# Nobody flies.
shift =
    find own man,
    pick up,
    any direction,
    step,
    points at empty field,
    put down,
    assign (quiet++).
