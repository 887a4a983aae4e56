# Capablanca chess: ten columns, with a chancellor (rook and knight) and an archbishop (bishop and knight).

based on chess

dimensions (10, 8)

pieces {
    archbishop 'A' 'a'
    chancellor 'C' 'c'
}

properties {
    en_passant : board : [0 .. 10]  # column of the pawn that may be taken, as the mover sees it
}

setup {
    "rnabqkbcnr"
    "pppppppppp"
    ".........."
    ".........."
    ".........."
    ".........."
    "PPPPPPPPPP"
    "RNABQKBCNR"
    king_side = 1, 1
    queen_side = 1, 1
}

looks { archbishop "A" "a"  chancellor "C" "c" }

evaluation {
    calm = count [ check ] == 0

    material {
        pawn 90
        knight 290
        bishop 330
        rook 490
        archbishop 780
        chancellor 850
        queen 930
    }
    table pawn =
        "  0   0   0   0   0"
        " 70  70  75  80  80"
        " 25  30  35  40  45"
        "  5  10  16  26  32"
        "  0   4  10  18  24"
        "  0   4   6   6   8"
        "  0   4   4  -2 -10"
        "  0   0   0   0   0"
    mobility 3 : count [
        either [ find own knight, leap ]
        or [ find own bishop, diagonal, glide ]
        or [ find own rook, orthogonal, glide ]
        or [ find own archbishop, either leap or [ diagonal, glide ] ]
        or [ find own chancellor, either leap or [ orthogonal, glide ] ],
        not points at own piece,
        north
    ]
    hanging 25 : count [ find opponent's piece, as opponent attacked, not attacked ]
    king_attack 12 : count [
        find opponent's king,
        any direction,
        step,
        as opponent attacked,
        north
    ]
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
    either [ find own knight, pick up, leap ]
    or [ find own bishop, pick up, diagonal, glide ]
    or [ find own rook, unsettle, pick up, orthogonal, glide ]
    or [ find own archbishop, pick up, either leap or [ diagonal, glide ] ]
    or [ find own chancellor, pick up, either leap or [ orthogonal, glide ] ]
    or [ find own queen, pick up, any direction, glide ]
    or [ find own king, unsettle, pick up, any direction, step ],
    either [ points at empty field, no_progress ] or capture,
    put down.

corner = assert (row == 1 && (column == 1 || column == 10)).

king_wing_corner =
    either [ white to move, assert (column == 10) ] or [ black to move, assert (column == 1) ].

pawn_move =
    find own pawn,
    pick up,
    either [ north, step, points at empty field, progress ]
    or [ either northwest or northeast, step, capture ],
    put down,
    try [
        assert (row == 8),
        replace by [queen or chancellor or archbishop or rook or bishop or knight]
    ].

double_step =
    find own pawn,
    assert (row == 2),
    pick up,
    north,
    repeat 2 times [ step, points at empty field ],
    put down,
    progress,
    assign (en_passant = 11 - column),
    try [ not as opponent [ en_passant_move, not check ], assign (en_passant = 0) ].

# The king goes three fields towards the rook.
castle =
    find own king,
    either [ assert (king_side), king_wing ] or [ assert (queen_side), king_wing, turn 180 ],
    test [
        repeat 1 .. infinity times [ step, points at empty field ],
        step,
        points at own rook,
        not step
    ],
    test repeat 4 times [ not attacked, step ],
    replace by empty field,
    repeat 2 times step,
    replace by rook,
    step,
    replace by king,
    while step do nothing,
    replace by empty field,
    assign (king_side = queen_side = 0),
    irreversible,
    no_progress.

attacked =
    test either [ either northwest or northeast, step, points at opponent's pawn ]
    or [
        leap,
        points at [opponent's knight or opponent's archbishop or opponent's chancellor]
    ]
    or [
        diagonal,
        glide,
        points at [opponent's bishop or opponent's archbishop or opponent's queen]
    ]
    or [
        orthogonal,
        glide,
        points at [opponent's rook or opponent's chancellor or opponent's queen]
    ]
    or [ any direction, step, points at opponent's king ].
