# Chess, with all of its rules.

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

evaluation {
    phase = count [ find [own knight or opponent's knight or own bishop or opponent's bishop] ] +
        2 * count [ find [own rook or opponent's rook] ] +
        4 * count [ find [own queen or opponent's queen] ] [0 .. 24]

    calm = count [ check ] == 0

    material {
        pawn 84 .. 104   knight 332 .. 296  bishop 348 .. 318
        rook 472 .. 530  queen 985 .. 965
    }

    table pawn =
        "  0   0   0   0"
        " 60  70  72  74"
        " 12  22  34  40"
        "-10   6   8  22"
        "-18  -4   2  20"
        "-18  -2  -4   6"
        "-22   6  -6 -12"
        "  0   0   0   0"
        ..
        "  0   0   0   0"
        "110 106  98  92"
        " 70  68  56  46"
        " 26  18   8   2"
        "  8   6  -4  -6"
        "  2   4  -4   0"
        "  8   6   8   6"
        "  0   0   0   0"
    table knight =
        "-120 -60 -40 -20"
        " -50 -25  20  15"
        " -20  20  38  48"
        "  -2  12  26  38"
        "  -8   6  16  20"
        " -18   0  12  16"
        " -26 -20  -4   2"
        " -70 -20 -24 -14"
        ..
        " -58 -38 -22 -20"
        " -30 -12  -8   0"
        " -22  -4  10  12"
        " -10   6  18  24"
        " -12   2  16  22"
        " -22  -4   2  14"
        " -34 -18 -10  -4"
        " -46 -40 -22 -16"
    table bishop =
        "-24 -10 -30 -26"
        "-22  10  -6  -8"
        "-12  20  26  24"
        " -4   6  16  30"
        " -2  10  12  22"
        "  4  14  14  12"
        "  6  16  12   4"
        "-22  -6 -10 -12"
        ..
        "-14 -14  -8  -6"
        " -8  -2   2  -6"
        "  0  -2   2   2"
        " -2   6  10  12"
        " -6   2  10  14"
        " -8  -2   6  10"
        "-14 -10  -4   2"
        "-18  -8 -12  -6"
    table rook =
        " 26  28  22  34"
        " 22  26  42  46"
        "  0  16  20  24"
        "-18  -8   8  16"
        "-28 -18 -10  -2"
        "-34 -18 -12 -10"
        "-38 -16 -10  -4"
        "-16 -10   4  14"
        ..
        " 12  12  16  14"
        " 12  14  12   8"
        "  8   6   6   4"
        "  6   4   8   2"
        "  2   2   4   0"
        " -4   0  -4  -2"
        " -6  -6  -2  -2"
        " -8  -2   0  -2"
    table queen =
        "-16   4  18  22"
        "-14 -24   2   4"
        " -4   0  14  18"
        "-18 -12  -6  -4"
        " -8  -8  -6  -6"
        " -8   4  -2  -2"
        "-16   0   8   6"
        "-12 -14  -8   6"
        ..
        "  2  16  20  24"
        " -2  24  30  38"
        " -6  14  26  40"
        " 10  26  30  44"
        "  0  24  26  40"
        " -6   0  16  14"
        "-20 -22 -18 -10"
        "-32 -28 -24 -22"
    table king =
        "-40   0 -10 -30"
        "  0   0 -10 -20"
        "-10   0 -10 -30"
        "-20 -15 -25 -35"
        "-40 -20 -35 -45"
        "-20 -15 -30 -45"
        "  4   6 -18 -40"
        " -4  30   4 -22"
        ..
        "-60 -28 -18 -14"
        " -8  14  14  16"
        "  6  22  26  20"
        "  0  22  28  30"
        "-14   2  22  28"
        "-18  -2  12  20"
        "-26  -8   4  10"
        "-50 -32 -20 -24"

    bishop_pair 28 .. 48 : count [ find own bishop ] >= 2

    knight_mobility 5 .. 4 : count [
        find own knight,
        leap,
        not points at own piece,
        not guarded_by_pawn
    ]
    bishop_mobility 5 .. 5 : count [
        find own bishop,
        diagonal,
        glide,
        not points at own piece,
        not guarded_by_pawn
    ]
    rook_mobility 3 .. 5 : count [ find own rook, orthogonal, glide, not points at own piece ]
    queen_mobility 2 .. 4 : count [
        find own queen,
        any direction,
        glide,
        not points at own piece,
        not guarded_by_pawn
    ]

    doubled -8 .. -18 : count [ find own pawn, north, ahead, points at own pawn ]
    isolated -12 .. -14 : count [
        find own pawn,
        not [ either west or east, step, column_has_own_pawn ]
    ]
    chained 8 .. 6 : count [
        find own pawn,
        test [ either southwest or southeast, step, points at own pawn ]
    ]
    passed_low 0 .. 10 : count [ find own pawn, assert (row <= 3), not stopped ]
    passed_4 6 .. 28 : count [ find own pawn, assert (row == 4), not stopped ]
    passed_5 16 .. 52 : count [ find own pawn, assert (row == 5), not stopped ]
    passed_6 40 .. 90 : count [ find own pawn, assert (row == 6), not stopped ]
    passed_7 70 .. 140 : count [ find own pawn, assert (row == 7), not stopped ]
    passed_blocked -10 .. -24 : count [
        find own pawn,
        assert (row >= 4),
        not stopped,
        north,
        step,
        points at opponent's piece
    ]

    rook_half_open 12 .. 6 : count [ find own rook, not [ north, ahead, points at own pawn ] ]
    rook_open 16 .. 4 : count [
        find own rook,
        not [ either north or south, ahead, points at [own pawn or opponent's pawn] ]
    ]

    shield 9 .. 0 : count [
        find own king,
        assert (row <= 2),
        either northwest or north or northeast,
        step,
        points at own pawn
    ]
    open_to_king -16 .. 0 : count [
        find own king,
        either nothing or [ either west or east, step ],
        not column_has_own_pawn,
        north
    ]
    king_attack 9 .. 4 : count [
        find opponent's king,
        any direction,
        step,
        as opponent attacked,
        north
    ]

    pawn_threat 38 .. 30 : count [
        find own pawn,
        either northwest or northeast,
        step,
        points at [opponent's knight or opponent's bishop or opponent's rook or opponent's queen]
    ]
    hanging 24 .. 28 : count [
        find [opponent's pawn or opponent's knight or opponent's bishop or opponent's rook or opponent's queen],
        as opponent attacked,
        not attacked
    ]

    outpost 22 .. 10 : count [
        find own knight,
        assert (row >= 4 && row <= 6),
        test [ either southwest or southeast, step, points at own pawn ],
        not [ either west or east, step, north, ahead, points at opponent's pawn ]
    ]
    behind_pawn 6 .. 2 : count [
        find [own knight or own bishop],
        test [ north, step, points at [own pawn or opponent's pawn] ]
    ]
    phalanx 6 .. 6 : count [ find own pawn, either west or east, step, points at own pawn ]
    backward -8 .. -8 : count [
        find own pawn,
        test [ north, step, guarded_by_pawn ],
        not [
            either west or east,
            step,
            either nothing or [ south, ahead ],
            points at own pawn
        ]
    ]
    passed_connected 8 .. 20 : count [
        find own pawn,
        assert (row >= 4),
        not stopped,
        test [ either west or east or southwest or southeast, step, points at own pawn ]
    ]
    passed_free 0 .. 20 : count [
        find own pawn,
        assert (row >= 4),
        not stopped,
        not [ north, ahead, points at [own piece or opponent's piece] ]
    ]
    passed_led 0 .. 14 : count [
        find own pawn,
        assert (row >= 4),
        not stopped,
        test [ around, points at own king ]
    ]
    passed_watched 0 .. -14 : count [
        find own pawn,
        assert (row >= 4),
        not stopped,
        test [ around, points at opponent's king ]
    ]
    rook_behind 4 .. 12 : count [
        find own pawn,
        assert (row >= 4),
        not stopped,
        test [ south, glide, points at own rook ]
    ]
    minor_threat 24 .. 24 : count [
        find [opponent's rook or opponent's queen],
        test either [ leap, points at own knight ]
        or [ diagonal, glide, points at own bishop ]
    ]
    rook_threat 20 .. 20 : count [
        find opponent's queen,
        test [ orthogonal, glide, points at own rook ]
    ]
    attackers_2 20 .. 0 : count [ attacker ] >= 2
    attackers_3 30 .. 0 : count [ attacker ] >= 3
    attackers_4 30 .. 0 : count [ attacker ] >= 4
    ring_unheld 12 .. 4 : count [
        find opponent's king,
        any direction,
        step,
        as opponent attacked,
        not held,
        north
    ]
    storm 4 .. 0 : count [
        find opponent's king,
        either nothing or [ either west or east, step ],
        south,
        repeat 1 .. 3 times step,
        points at own pawn
    ]
    knight_check 20 .. 6 : count [
        find opponent's king,
        leap,
        not points at own piece,
        not attacked,
        test [ leap, points at own knight ],
        north
    ]
    rook_check 20 .. 6 : count [
        find opponent's king,
        orthogonal,
        glide,
        not points at own piece,
        not attacked,
        test [ orthogonal, glide, points at [own rook or own queen] ],
        north
    ]
    bishop_check 14 .. 6 : count [
        find opponent's king,
        diagonal,
        glide,
        not points at own piece,
        not attacked,
        test [ diagonal, glide, points at [own bishop or own queen] ],
        north
    ]
    space 2 .. 0 : count [
        find own pawn,
        assert (column >= 3 && column <= 6),
        south,
        repeat 1 .. 3 times step,
        points at empty field,
        not guarded_by_pawn
    ]
    knight_stuck -20 .. -20 : count [
        find own knight,
        not [ leap, not points at own piece, not guarded_by_pawn ]
    ]
    rook_stuck -20 .. -10 : count [
        find own rook,
        assert (row == 1),
        not [ orthogonal, step, not points at own piece ]
    ]
    pawn_push_threat 12 .. 8 : count [
        find own pawn,
        north,
        step,
        points at empty field,
        not guarded_by_pawn,
        either northwest or northeast,
        step,
        points at [opponent's knight or opponent's bishop or opponent's rook or opponent's queen]
    ]

    castling 14 .. 0 : (king_side > 0) + (queen_side > 0)
    tempo 16 .. 8 mover : 1
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
    not check.

# Pieces other than pawns.

piece_move =
    either [ find own knight, pick up, leap ]
    or [ find own bishop, pick up, diagonal, glide ]
    or [ find own rook, unsettle, pick up, orthogonal, glide ]
    or [ find own queen, pick up, any direction, glide ]
    or [ find own king, unsettle, pick up, any direction, step ],
    either [ points at empty field, no_progress ] or capture,
    put down.

leap = orthogonal, step, either turn 45 or turn -45, step.

glide = repeat 0 .. infinity times [ step, points at empty field ], step.

capture = points at opponent's piece, as opponent unsettle, progress.

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
    pick up,
    either [ north, step, points at empty field, progress ]
    or [ either northwest or northeast, step, capture ],
    put down,
    try [ assert (row == 8), replace by [queen or rook or bishop or knight] ].

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
    points at empty field,
    assert (column == en_passant),
    put down,
    progress,
    south,
    step,
    points at opponent's pawn,
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
    replace by empty field,
    step,
    points at empty field,
    replace by rook,
    step,
    points at empty field,
    replace by king,
    while step do nothing,
    points at own rook,
    replace by empty field,
    assign (king_side = queen_side = 0),
    irreversible,
    no_progress.

king_wing = try [ white to move, east ] else west.

# Attacks.

check = find own king, attacked.

attacked =
    test either [ either northwest or northeast, step, points at opponent's pawn ]
    or [ leap, points at opponent's knight ]
    or [ diagonal, glide, points at [opponent's bishop or opponent's queen] ]
    or [ orthogonal, glide, points at [opponent's rook or opponent's queen] ]
    or [ any direction, step, points at opponent's king ].

# For the evaluation.

ahead = repeat 1 .. infinity times step.

guarded_by_pawn = test [ either northwest or northeast, step, points at opponent's pawn ].

column_has_own_pawn =
    test [ either nothing or [ either north or south, ahead ], points at own pawn ].

# An opponent's pawn ahead, on the same column or beside it.
stopped =
    test [
        either nothing or [ either west or east, step ],
        north,
        ahead,
        points at opponent's pawn
    ].

# Two steps around the field before a pawn.
around =
    north,
    step,
    either nothing or [ any direction, step, either nothing or [ any direction, step ] ].

near_king = test [ any direction, step, points at opponent's king ].

attacker =
    either [ find own knight, test [ leap, near_king ] ]
    or [ find own bishop, test [ diagonal, glide, near_king ] ]
    or [ find own rook, test [ orthogonal, glide, near_king ] ]
    or [ find own queen, test [ any direction, glide, near_king ] ].

# Held by the opponent with another piece than the king.
held =
    test either [ either northwest or northeast, step, points at opponent's pawn ]
    or [ leap, points at opponent's knight ]
    or [ diagonal, glide, points at [opponent's bishop or opponent's queen] ]
    or [ orthogonal, glide, points at [opponent's rook or opponent's queen] ].
