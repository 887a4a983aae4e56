# Los Alamos chess: six by six fields without bishops, the first chess that a computer played, in 1956.

dimensions (6, 6)
no moves = error
repetition = draw 3

pieces {
    pawn   'P' 'p'
    knight 'N' 'n'
    rook   'R' 'r'
    queen  'Q' 'q'
    king   'K' 'k'
}

properties {
    quiet : board : [0 .. 100] unhashed  # moves since the last capture or pawn move
}

setup {
    "rnqknr"
    "pppppp"
    "......"
    "......"
    "PPPPPP"
    "RNQKNR"
}

notation { uci algebraic }

looks {
    pawn "♙" "♟"  knight "♘" "♞"  rook "♖" "♜"  queen "♕" "♛"  king "♔" "♚"
    fields "chequered"
}

main =
    try [ assert (quiet == 100), test legal_move, draw ]  # fifty moves each
    else try legal_move
    else try [ check, lose ]
    else draw.

legal_move = either pawn_move or piece_move, not check.

piece_move =
    either [ find own knight, pick up, leap ]
    or [ find own rook, pick up, orthogonal, glide ]
    or [ find own queen, pick up, any direction, glide ]
    or [ find own king, pick up, any direction, step ],
    either [ points at empty field, assign (quiet += quiet < 100) ] or capture,
    put down.

pawn_move =
    find own pawn,
    pick up,
    either [ north, step, points at empty field, progress ]
    or [ either northwest or northeast, step, capture ],
    put down,
    try [ assert (row == 6), replace by [queen or rook or knight] ].

capture = points at opponent's piece, progress.

progress = irreversible, assign (quiet = 0).

leap = orthogonal, step, either turn 45 or turn -45, step.

glide = repeat 0 .. infinity times [ step, points at empty field ], step.

check =
    find own king,
    test either [ either northwest or northeast, step, points at opponent's pawn ]
    or [ leap, points at opponent's knight ]
    or [ orthogonal, glide, points at [opponent's rook or opponent's queen] ]
    or [ diagonal, glide, points at opponent's queen ]
    or [ any direction, step, points at opponent's king ].
