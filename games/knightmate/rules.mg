# Knightmate: chess with king and knights exchanged: the royal piece leaps like a knight, two commoners step like kings.

based on chess

pieces { commoner 'M' 'm' }

setup {
    "rmbqkbmr"
    "pppppppp"
    "........"
    "........"
    "........"
    "........"
    "PPPPPPPP"
    "RMBQKBMR"
    king_side = 1, 1
    queen_side = 1, 1
}

looks { commoner "♘" "♞" }

evaluation {
    calm = count [ check ] == 0

    material { pawn 90  commoner 320  bishop 320  rook 500  queen 950 }
    table pawn =
        "  0   0   0   0"
        " 60  70  72  74"
        " 20  30  35  40"
        "  5  10  20  28"
        "  0   4  14  22"
        "  0   4   4   8"
        "  0   4   0  -8"
        "  0   0   0   0"
    mobility 3 : count [
        either [ find own bishop, diagonal, glide ]
        or [ find own rook, orthogonal, glide ]
        or [ find own commoner, any direction, step ],
        not points at own piece,
        north
    ]
    hanging 25 : count [ find opponent's piece, as opponent attacked, not attacked ]
    exposed -12 : count [ find own king, leap, attacked, north ]
    tempo 12 mover : 1
}

piece_move =
    either [ find own commoner, pick up, any direction, step ]
    or [ find own bishop, pick up, diagonal, glide ]
    or [ find own rook, unsettle, pick up, orthogonal, glide ]
    or [ find own queen, pick up, any direction, glide ]
    or [ find own king, unsettle, pick up, leap ],
    either [ points at empty field, no_progress ] or capture,
    put down.

pawn_move =
    find own pawn,
    pick up,
    either [ north, step, points at empty field, progress ]
    or [ either northwest or northeast, step, capture ],
    put down,
    try [ assert (row == 8), replace by [queen or rook or bishop or commoner] ].

attacked =
    test either [ either northwest or northeast, step, points at opponent's pawn ]
    or [ leap, points at opponent's king ]
    or [ diagonal, glide, points at [opponent's bishop or opponent's queen] ]
    or [ orthogonal, glide, points at [opponent's rook or opponent's queen] ]
    or [ any direction, step, points at opponent's commoner ].
