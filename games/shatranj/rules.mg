# Shatranj, the chess of the Arabs: elephants leap two fields, the counsellor goes one, and a bare king loses.

dimensions (8, 8)
no moves = loss
repetition = draw 3

pieces {
    pawn       'P' 'p'
    counsellor 'Q' 'q'
    elephant   'B' 'b'
    horse      'N' 'n'
    rook       'R' 'r'
    king       'K' 'k'
}

properties {
    quiet : board : [0 .. 140] unhashed  # moves since the last capture or pawn move
}

setup {
    "rnbkqbnr"
    "pppppppp"
    "........"
    "........"
    "........"
    "........"
    "PPPPPPPP"
    "RNBKQBNR"
}

notation { uci }

looks {
    pawn "♙" "♟"  counsellor "♕" "♛"  elephant "♗" "♝"  horse "♘" "♞"  rook "♖" "♜"  king "♔" "♚"
    fields "plain"
}

# A bare king has one move to bare the other king too.
main =
    try [ as opponent bare, try [ bare, draw ] else win ]
    else try [ assert (quiet == 140), test legal_move, draw ]  # seventy moves each
    else legal_move.

bare = assert (count [ find own piece ] == 1).

legal_move =
    either pawn_move or [
        either [ find own counsellor, pick up, diagonal, step ]
        or [ find own elephant, pick up, diagonal, repeat 2 times step ]
        or [ find own horse, pick up, leap ]
        or [ find own rook, pick up, orthogonal, glide ]
        or [ find own king, pick up, any direction, step ],
        either [ points at empty field, assign (quiet += quiet < 140) ] or capture,
        put down
    ],
    not check.

pawn_move =
    find own pawn,
    pick up,
    either [ north, step, points at empty field, progress ]
    or [ either northwest or northeast, step, capture ],
    put down,
    try [ assert (row == 8), replace by counsellor ].

capture = points at opponent's piece, progress.

progress = irreversible, assign (quiet = 0).

leap = orthogonal, step, either turn 45 or turn -45, step.

glide = repeat 0 .. infinity times [ step, points at empty field ], step.

check =
    find own king,
    test either [ either northwest or northeast, step, points at opponent's pawn ]
    or [ diagonal, step, points at opponent's counsellor ]
    or [ diagonal, repeat 2 times step, points at opponent's elephant ]
    or [ leap, points at opponent's horse ]
    or [ orthogonal, glide, points at opponent's rook ]
    or [ any direction, step, points at opponent's king ].
