# Minixiangqi: xiangqi on seven by seven fields without advisors and elephants; soldiers go sideways from the start.

based on xiangqi

dimensions (7, 7)

setup {
    "rcnkncr"
    "p.ppp.p"
    "......."
    "......."
    "......."
    "P.PPP.P"
    "RCNKNCR"
}

evaluation {
    calm = count [ check ] == 0

    material { soldier 120  horse 400  cannon 400  chariot 900 }
    table soldier =
        " 0  0 20 20"
        "40 50 70 80"
        "30 40 60 60"
        "20 30 40 40"
        " 5 10 20 20"
        " 0  0  0  0"
        " 0  0  0  0"
    horse_moves 8 : count [
        find own horse,
        orthogonal,
        step,
        points at empty field,
        fork,
        step,
        not points at own piece
    ]
    chariot_moves 4 : count [ find own chariot, orthogonal, glide, not points at own piece ]
    palace_attack 10 : count [
        find any field,
        in_far_palace,
        as opponent attacked
    ]
    hanging 30 : count [
        find [opponent's soldier or opponent's horse or opponent's cannon or opponent's chariot],
        as opponent attacked,
        not attacked
    ]
    tempo 15 mover : 1
}

in_palace = assert (row <= 3 && column >= 3 && column <= 5).

in_far_palace = assert (row >= 5 && column >= 3 && column <= 5).

soldier_direction = either north or east or west.
