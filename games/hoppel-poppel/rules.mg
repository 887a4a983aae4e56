# Hoppel-poppel: chess in which knights capture like bishops and bishops capture like knights.

based on chess

evaluation {
    calm = count [ check ] == 0

    material { pawn 90  knight 320  bishop 320  rook 480  queen 950 }
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
        either [ find own bishop, either [ diagonal, glide, points at empty field ] or leap ]
        or [ find own knight, either [ leap, points at empty field ] or [ diagonal, glide ] ]
        or [ find own rook, orthogonal, glide ],
        not points at own piece,
        north
    ]
    hanging 25 : count [ find opponent's piece, as opponent attacked, not attacked ]
    shield 10 : count [
        find own king,
        assert (row <= 2),
        either northwest or north or northeast,
        step,
        points at own pawn
    ]
    tempo 12 mover : 1
}

piece_move =
    either [
        find own knight,
        pick up,
        either [ leap, to_nothing ] or [ diagonal, glide, capture ]
    ]
    or [ find own bishop, pick up, either [ diagonal, glide, to_nothing ] or [ leap, capture ] ]
    or [
        either [ find own rook, unsettle, pick up, orthogonal, glide ]
        or [ find own queen, pick up, any direction, glide ]
        or [ find own king, unsettle, pick up, any direction, step ],
        either to_nothing or capture
    ],
    put down.

to_nothing = points at empty field, no_progress.

attacked =
    test either [ either northwest or northeast, step, points at opponent's pawn ]
    or [ leap, points at opponent's bishop ]
    or [ diagonal, glide, points at [opponent's knight or opponent's queen] ]
    or [ orthogonal, glide, points at [opponent's rook or opponent's queen] ]
    or [ any direction, step, points at opponent's king ].
