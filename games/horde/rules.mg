# Horde: thirty-six white pawns try to mate the black king, Black tries to capture all of them.

based on chess

setup {
    "rnbqkbnr"
    "pppppppp"
    "........"
    ".PP..PP."
    "PPPPPPPP"
    "PPPPPPPP"
    "PPPPPPPP"
    "PPPPPPPP"
    king_side = 0, 1
    queen_side = 0, 1
}

evaluation {
    calm = count [ check ] == 0

    material { pawn 60  knight 320  bishop 330  rook 500  queen 950 }
    # Thirty-six pawns are as much as Black's army.
    horde 2200 : count [ white to move, find own piece ] > 0
    table pawn =
        "  0   0   0   0"
        "120 120 120 120"
        " 60  60  60  60"
        " 20  24  28  28"
        "  8  12  16  16"
        "  0   4   8   8"
        "  0   0   0   0"
        "  0   0   0   0"
    chained 8 : count [
        find own pawn,
        test [ either southwest or southeast, step, points at own pawn ]
    ]
    hanging 30 : count [ find opponent's piece, as opponent attacked, not attacked ]
    tempo 10 mover : 1
}

main =
    try [ assert (quiet == 100), test legal_move, draw ]  # fifty moves each
    else try [ legal_move, try [ not find opponent's piece, win ] ]
    else try [ either check or not find own piece, lose ]
    else draw.

# The pawns of the first row may go two steps too, but cannot be taken en passant after that.
double_step =
    find own pawn,
    assert (row <= 2),
    pick up,
    north,
    repeat 2 times [ step, points at empty field ],
    put down,
    progress,
    assign (en_passant = row == 4 ? 9 - column : 0),
    try [ not as opponent [ en_passant_move, not check ], assign (en_passant = 0) ].
