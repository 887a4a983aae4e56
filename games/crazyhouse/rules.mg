# Crazyhouse: chess in which what is captured changes sides and may be dropped on an empty field.

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
    pawns                 : player : [0 .. 16]  # in hand
    knights, bishops      : player : [0 .. 4]
    rooks                 : player : [0 .. 4]
    queens                : player : [0 .. 2]
    king_side, queen_side : player : [0 .. 1]  # may still castle there
    promoted              : field  : [0 .. 1]  # the piece was a pawn, and will be one when it is captured
    was_promoted          : move   : [0 .. 1]
    en_passant            : board  : [0 .. 8]             # column of the pawn that may be taken, as the mover sees it
    quiet                 : board  : [0 .. 100] unhashed  # moves since the last capture, pawn move or drop
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

notation { uci algebraic }

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
        either pawn_move or en_passant_move or piece_move or castle or drop,
        assign (en_passant = 0),
    ],
    not check.

# Pieces other than pawns.

piece_move =
    either [ find own knight, lift, leap ]
    or [ find own bishop, lift, diagonal, glide ]
    or [ find own rook, unsettle, lift, orthogonal, glide ]
    or [ find own queen, lift, any direction, glide ]
    or [ find own king, unsettle, pick up, any direction, step ],
    either [ points at empty field, no_progress ] or capture,
    put down,
    assign (promoted = was_promoted).

lift = assign (was_promoted = promoted, promoted = 0), pick up.

leap = orthogonal, step, either turn 45 or turn -45, step.

glide = repeat 0 .. infinity times [ step, points at empty field ], step.

capture =
    as opponent unsettle,
    try [ assert (promoted), points at opponent's piece, assign (pawns++, promoted = 0) ]
    else either [ points at opponent's pawn, assign (pawns++) ]
    or [ points at opponent's knight, assign (knights++) ]
    or [ points at opponent's bishop, assign (bishops++) ]
    or [ points at opponent's rook, assign (rooks++) ]
    or [ points at opponent's queen, assign (queens++) ],
    progress.

# Nothing is irreversible: whatever is lost may come back from a hand.
progress = assign (quiet = 0).

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
    pick up,
    either [ north, step, points at empty field, progress ]
    or [ either northwest or northeast, step, capture ],
    put down,
    try [
        assert (row == 8),
        replace by [queen or rook or bishop or knight],
        assign (promoted = 1)
    ].

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
    try [ not as opponent [ en_passant_move, not check ], assign (en_passant = 0) ].

en_passant_move =
    find own pawn,
    assert (row == 5),
    pick up,
    either northwest or northeast,
    step,
    assert (column == en_passant),
    put down,
    progress,
    south,
    step,
    replace by empty field,
    assign (pawns++).

# From the hand.

drop =
    find empty field,
    either [ assert (pawns > 0 && row > 1 && row < 8), assign (pawns--), replace by pawn ]
    or [ assert (knights > 0), assign (knights--), replace by knight ]
    or [ assert (bishops > 0), assign (bishops--), replace by bishop ]
    or [ assert (rooks > 0), assign (rooks--), replace by rook ]
    or [ assert (queens > 0), assign (queens--), replace by queen ],
    progress.

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

# Attacks.

check = find own king, attacked.

attacked =
    test either [ either northwest or northeast, step, points at opponent's pawn ]
    or [ leap, points at opponent's knight ]
    or [ diagonal, glide, points at [opponent's bishop or opponent's queen] ]
    or [ orthogonal, glide, points at [opponent's rook or opponent's queen] ]
    or [ any direction, step, points at opponent's king ].
