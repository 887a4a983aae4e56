# Crazyhouse: chess in which what is captured changes sides and may be dropped on an empty field.

based on chess

properties {
    pawns            : player : [0 .. 16]  # in hand
    knights, bishops : player : [0 .. 4]
    rooks            : player : [0 .. 4]
    queens           : player : [0 .. 2]
    promoted         : field  : [0 .. 1]  # the piece was a pawn, and will be one when it is captured
    was_promoted     : move   : [0 .. 1]
}

notation { uci algebraic }

legal_move =
    either double_step or [
        either pawn_move or en_passant_move or piece_move or castle or drop,
        assign (en_passant = 0),
    ],
    not check.

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

capture =
    as opponent unsettle,
    try [ assert (promoted), points at opponent's piece, assign (pawns++, promoted = 0) ]
    else either [ points at opponent's pawn, assign (pawns++) ]
    or [ points at opponent's knight, assign (knights++) ]
    or [ points at opponent's bishop, assign (bishops++) ]
    or [ points at opponent's rook, assign (rooks++) ]
    or [ points at opponent's queen, assign (queens++) ],
    progress.

# No capture is irreversible: whatever is lost may come back from a hand.
progress = assign (quiet = 0).

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
