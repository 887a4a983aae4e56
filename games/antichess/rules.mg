# Antichess: chess in which captures are compulsory and the player who has lost everything, or cannot move, wins.

based on chess

setup {
    "rnbqkbnr"
    "pppppppp"
    "........"
    "........"
    "........"
    "........"
    "PPPPPPPP"
    "RNBQKBNR"
}

evaluation {
    # Few pieces are good, but only pieces that can still move can force the opponent to capture.
    men -40 : count [ find own piece ]
    mobility 4 : count [ reach, points at empty field, north ]
    forced -30 mover : count [ reach, points at opponent's piece, north ] == 1
    tempo 10 mover : 1
}

main =
    try [ assert (quiet == 100), test either capture_move or quiet_move, draw ]  # fifty moves each
    else try capture_move
    else try quiet_move
    else win.

capture_move =
    either [ walk, capture, put down ]
    or [
        find own pawn,
        pick up,
        either northwest or northeast,
        step,
        capture,
        put down,
        try promote
    ]
    or en_passant_move,
    assign (en_passant = 0).

quiet_move =
    either double_step or [
        either [ walk, points at empty field, no_progress, put down ]
        or [
            find own pawn,
            pick up,
            north,
            step,
            points at empty field,
            progress,
            put down,
            try promote
        ],
        assign (en_passant = 0),
    ].

# The king is a piece like any other.
walk =
    either [ find own knight, pick up, leap ]
    or [ find own bishop, pick up, diagonal, glide ]
    or [ find own rook, pick up, orthogonal, glide ]
    or [ find own queen, pick up, any direction, glide ]
    or [ find own king, pick up, any direction, step ].

capture = points at opponent's piece, progress.

promote = assert (row == 8), replace by [queen or rook or bishop or knight or king].

double_step =
    find own pawn,
    assert (row == 2),
    pick up,
    north,
    repeat 2 times [ step, points at empty field ],
    put down,
    progress,
    assign (en_passant = 9 - column),
    try [ not as opponent en_passant_move, assign (en_passant = 0) ].

# For the evaluation.

reach =
    either [ find own knight, leap ]
    or [ find own bishop, diagonal, glide ]
    or [ find own rook, orthogonal, glide ]
    or [ find own queen, any direction, glide ]
    or [ find own king, any direction, step ].
