# Racing kings: the first king on the last row wins, and nobody may ever be in check.

dimensions (8, 8)
sides = 1
no moves = draw
repetition = draw 3

pieces {
    knight 'N' 'n'
    bishop 'B' 'b'
    rook   'R' 'r'
    queen  'Q' 'q'
    king   'K' 'k'
}

properties {
    quiet : board : [0 .. 100] unhashed  # moves since the last capture
}

setup {
    "........"
    "........"
    "........"
    "........"
    "........"
    "........"
    "krbnNBRK"
    "qrbnNBRQ"
}

notation { uci algebraic }

looks {
    knight "♘" "♞"  bishop "♗" "♝"  rook "♖" "♜"  queen "♕" "♛"  king "♔" "♚"
    fields "chequered"
}

# White moves first, so Black may answer a king on the last row with the own king.
main =
    try [ as opponent arrived, not [ ride, arrived ], lose ]
    else [ ride, try finish ].

finish =
    try [ assert (quiet == 100), not arrived, draw ],
    try [
        black to move,
        either [ arrived, as opponent arrived, draw ]
        or [ arrived, not as opponent arrived, win ]
        or [ not arrived, as opponent arrived, lose ]
    ].

arrived = find own king, assert (row == 8).

ride =
    either [ find own knight, pick up, leap ]
    or [ find own bishop, pick up, diagonal, glide ]
    or [ find own rook, pick up, orthogonal, glide ]
    or [ find own queen, pick up, any direction, glide ]
    or [ find own king, pick up, any direction, step ],
    either [ points at empty field, assign (quiet += quiet < 100) ]
    or [ points at opponent's piece, irreversible, assign (quiet = 0) ],
    put down,
    not check,
    not as opponent check.

leap = orthogonal, step, either turn 45 or turn -45, step.

glide = repeat 0 .. infinity times [ step, points at empty field ], step.

check =
    find own king,
    test either [ leap, points at opponent's knight ]
    or [ diagonal, glide, points at [opponent's bishop or opponent's queen] ]
    or [ orthogonal, glide, points at [opponent's rook or opponent's queen] ]
    or [ any direction, step, points at opponent's king ].
