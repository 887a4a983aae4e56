# Makruk, the chess of Thailand: a weak queen, short-stepping bishops, and pawns that promote on the sixth row.

dimensions (8, 8)
no moves = error
repetition = draw 3

pieces {
    pawn   'P' 'p'
    met    'M' 'm'
    khon   'S' 's'
    knight 'N' 'n'
    boat   'R' 'r'
    king   'K' 'k'
}

properties {
    quiet : board : [0 .. 128] unhashed  # moves since the last capture or pawn move
}

setup {
    "rnsmksnr"
    "........"
    "pppppppp"
    "........"
    "........"
    "PPPPPPPP"
    "........"
    "RNSKMSNR"
}

notation { uci }

looks {
    pawn "♙" "♟"  met "♕" "♛"  khon "♗" "♝"  knight "♘" "♞"  boat "♖" "♜"  king "♔" "♚"
    fields "plain"
}

main =
    try [ assert (quiet == 128), test legal_move, draw ]  # sixty-four moves each
    else try legal_move
    else try [ check, lose ]
    else draw.

legal_move =
    either pawn_move or [
        either [ find own met, pick up, diagonal, step ]
        or [ find own khon, pick up, khon_step ]
        or [ find own knight, pick up, leap ]
        or [ find own boat, pick up, orthogonal, glide ]
        or [ find own king, pick up, any direction, step ],
        either [ points at empty field, assign (quiet += quiet < 128) ] or capture,
        put down
    ],
    not check.

pawn_move =
    find own pawn,
    pick up,
    either [ north, step, points at empty field, progress ]
    or [ either northwest or northeast, step, capture ],
    put down,
    try [ assert (row == 6), replace by met ].

capture = points at opponent's piece, progress.

progress = irreversible, assign (quiet = 0).

khon_step = either diagonal or north, step.

leap = orthogonal, step, either turn 45 or turn -45, step.

glide = repeat 0 .. infinity times [ step, points at empty field ], step.

# The same ways backward.
check =
    find own king,
    test either [ either northwest or northeast, step, points at opponent's pawn ]
    or [ diagonal, step, points at opponent's met ]
    or [ khon_step, points at opponent's khon ]
    or [ leap, points at opponent's knight ]
    or [ orthogonal, glide, points at opponent's boat ]
    or [ any direction, step, points at opponent's king ].
