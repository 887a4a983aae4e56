# Atomic chess: a capture blows up everything around it but pawns, and who blows up the king wins.

based on chess

legal_move =
    either double_step or [
        either pawn_move or en_passant_move or piece_move or castle,
        assign (en_passant = 0),
    ],
    survive.

# Blowing up the other king goes before every check.
survive = test find own king, try [ not find opponent's king, win ] else not check.

piece_move =
    either [ find own knight, lift, leap ]
    or [ find own bishop, lift, diagonal, glide ]
    or [ find own rook, unsettle, lift, orthogonal, glide ]
    or [ find own queen, lift, any direction, glide ]
    or [ find own king, unsettle, lift, any direction, step, points at empty field ],
    either [ points at empty field, put down, no_progress ] or capture,
    called field.

# The capturing piece is gone, so the rules name the move themselves.
lift = called field, pick up.

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

attacked =
    not [ any direction, step, points at opponent's king ],
    test either [ either northwest or northeast, step, points at opponent's pawn ]
    or [ leap, points at opponent's knight ]
    or [ diagonal, glide, points at [opponent's bishop or opponent's queen] ]
    or [ orthogonal, glide, points at [opponent's rook or opponent's queen] ].
