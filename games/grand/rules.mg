# Grand chess: ten by ten fields, Capablanca's pieces, no castling; pawns promote from the eighth row to what was lost.

based on capablanca

dimensions (10, 10)

properties {
    king_side, queen_side : player : [0 .. 1]  # nobody castles
}

setup {
    "r........r"
    ".nbqkcabn."
    "pppppppppp"
    ".........."
    ".........."
    ".........."
    ".........."
    "PPPPPPPPPP"
    ".NBQKCABN."
    "R........R"
}

notation { uci algebraic }  # FEN cannot tell en passant on these rows

evaluation {
    calm = count [ check ] == 0

    material {
        pawn 90
        knight 290
        bishop 330
        rook 510
        archbishop 760
        chancellor 860
        queen 950
    }
    table pawn =
        "  0   0   0   0   0"
        "200 200 200 200 200"
        "120 120 120 120 120"
        " 50  55  60  60  60"
        " 15  20  26  30  34"
        "  4   8  14  22  28"
        "  0   4   8  12  16"
        "  0   2   2   0  -4"
        "  0   0   0   0   0"
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
    tempo 12 mover : 1
}

legal_move =
    either double_step or [
        either pawn_move or en_passant_move or piece_move,
        assign (en_passant = 0),
    ],
    not check.

piece_move =
    either [ find own knight, pick up, leap ]
    or [ find own bishop, pick up, diagonal, glide ]
    or [ find own rook, pick up, orthogonal, glide ]
    or [ find own archbishop, pick up, either leap or [ diagonal, glide ] ]
    or [ find own chancellor, pick up, either leap or [ orthogonal, glide ] ]
    or [ find own queen, pick up, any direction, glide ]
    or [ find own king, pick up, any direction, step ],
    either [ points at empty field, no_progress ] or capture,
    put down.

capture = points at opponent's piece, progress.

# A pawn becomes a piece that was lost: at the latest on the tenth row, where it cannot go without one.
pawn_move =
    find own pawn,
    pick up,
    either [ north, step, points at empty field, progress ]
    or [ either northwest or northeast, step, capture ],
    put down,
    either assert (row < 10) or [ assert (row >= 8), promote ].

promote =
    either [ assert (count [ find own queen ] < 1), replace by queen ]
    or [ assert (count [ find own chancellor ] < 1), replace by chancellor ]
    or [ assert (count [ find own archbishop ] < 1), replace by archbishop ]
    or [ assert (count [ find own rook ] < 2), replace by rook ]
    or [ assert (count [ find own bishop ] < 2), replace by bishop ]
    or [ assert (count [ find own knight ] < 2), replace by knight ].

double_step =
    find own pawn,
    assert (row == 3),
    pick up,
    north,
    repeat 2 times [ step, points at empty field ],
    put down,
    progress,
    assign (en_passant = 11 - column),
    try [ not as opponent [ en_passant_move, not check ], assign (en_passant = 0) ].

en_passant_move =
    find own pawn,
    assert (row == 6),
    pick up,
    either northwest or northeast,
    step,
    assert (column == en_passant),
    put down,
    progress,
    south,
    step,
    replace by empty field.
