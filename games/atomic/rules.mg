# Atomic chess: a capture blows up everything around it but pawns, and who blows up the king wins.

dimensions (8, 8)
no moves = error  # there is always a result: mate and stalemate are said below
repetition = draw 3

pieces {
    pawn   'P' 'p'
    knight 'N' 'n'
    bishop 'B' 'b'
    rook   'R' 'r'
    queen  'Q' 'q'
    king   'K' 'k'
}

properties {
    king_side, queen_side : player : [0 .. 1]             # may still castle there
    en_passant            : board  : [0 .. 8]             # column of the pawn that may be taken, as the mover sees it
    quiet                 : board  : [0 .. 100] unhashed  # moves since the last capture or pawn move
}

setup {
    "rnbqkbnr"
    "pppppppp"
    "........"
    "........"
    "........"
    "........"
    "PPPPPPPP"
    "RNBQKBNR"
    king_side = 1, 1
    queen_side = 1, 1
}

notation {
    uci
    algebraic
    fen (king_side, queen_side, en_passant, quiet)
}

looks {
    pawn "♙" "♟"  knight "♘" "♞"  bishop "♗" "♝"
    rook "♖" "♜"  queen "♕" "♛"   king "♔" "♚"
    fields "chequered"
}

main =
    try [ assert (quiet == 100), test legal_move, draw ]  # fifty moves each
    else try legal_move
    else try [ check, lose ]
    else draw.

legal_move =
    either double_step or [
        either pawn_move or en_passant_move or piece_move or castle,
        assign (en_passant = 0),
    ],
    survive.

# Blowing up the other king goes before every check.
survive = test find own king, try [ not find opponent's king, win ] else not check.

# Pieces other than pawns.

piece_move =
    either [ find own knight, lift, leap ]
    or [ find own bishop, lift, diagonal, glide ]
    or [ find own rook, unsettle, lift, orthogonal, glide ]
    or [ find own queen, lift, any direction, glide ]
    or [ find own king, unsettle, lift, any direction, step, points at empty field ],
    either [ points at empty field, put down, no_progress ] or capture,
    called field.

# Who captures is gone, so the move must be told how it is called.
lift = called field, pick up.

leap = orthogonal, step, either turn 45 or turn -45, step.

glide = repeat 0 .. infinity times [ step, points at empty field ], step.

capture = points at opponent's piece, as opponent unsettle, explode.

explode =
    put down,
    replace by empty field,
    for each direction do [
        step,
        points at any piece,
        not points at [pawn or opponent's pawn],
        unsettle,
        as opponent unsettle,
        replace by empty field,
    ],
    progress.

progress = irreversible, assign (quiet = 0).

no_progress = assign (quiet += quiet < 100).

# The piece under the finger leaves its field, and with king or rook goes the right to castle.
unsettle =
    try [ points at own king, assign (king_side = queen_side = 0) ],
    try [ corner, king_wing_corner, assign (king_side = 0) ]
    else try [ corner, assign (queen_side = 0) ].

corner = assert (row == 1 && (column == 1 || column == 8)).

king_wing_corner =
    either [ white to move, assert (column == 8) ] or [ black to move, assert (column == 1) ].

# Pawns.

pawn_move =
    find own pawn,
    lift,
    either [ north, step, points at empty field, put down, progress, try promote ]
    or [ either northwest or northeast, step, capture ],
    called field.

promote = assert (row == 8), replace by [queen or rook or bishop or knight].

# The pawn may be taken en passant only if such a move would be legal.
double_step =
    find own pawn,
    assert (row == 2),
    pick up,
    north,
    repeat 2 times [ step, points at empty field ],
    put down,
    progress,
    assign (en_passant = 9 - column),
    try [ not as opponent [ en_passant_move, survive ], assign (en_passant = 0) ].

en_passant_move =
    find own pawn,
    assert (row == 5),
    lift,
    either northwest or northeast,
    step,
    assert (column == en_passant),
    called field,
    explode,
    south,
    step,
    replace by empty field.

# Castling: the way to the corner is free, and the king neither leaves, crosses nor reaches an attacked field.

castle =
    find own king,
    either [ assert (king_side), king_wing ] or [ assert (queen_side), king_wing, turn 180 ],
    test [
        repeat 1 .. infinity times [ step, points at empty field ],
        step,
        points at own rook,
        not step
    ],
    test repeat 3 times [ not attacked, step ],
    assign (king_side = queen_side = 0),
    irreversible,
    no_progress,
    pick up,
    repeat 2 times step,
    put down,
    while step do nothing,
    pick up,
    do step backward while not points at own king,
    step backward,
    put down.

king_wing = try [ white to move, east ] else west.

# Attacks. A king beside the other king is safe: to capture it would end both.

check = find own king, attacked.

attacked =
    not [ any direction, step, points at opponent's king ],
    test either [ either northwest or northeast, step, points at opponent's pawn ]
    or [ leap, points at opponent's knight ]
    or [ diagonal, glide, points at [opponent's bishop or opponent's queen] ]
    or [ orthogonal, glide, points at [opponent's rook or opponent's queen] ].
