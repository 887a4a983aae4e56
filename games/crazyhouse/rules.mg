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

evaluation {
    calm = count [ check ] == 0

    material { pawn 90  knight 220  bishop 240  rook 310  queen 560 }
    pawns_in_hand 105 : pawns
    knights_in_hand 240 : knights
    bishops_in_hand 240 : bishops
    rooks_in_hand 290 : rooks
    queens_in_hand 580 : queens
    promoted_pieces 40 : count [ find own piece, assert (promoted) ]

    table pawn =
        " 0  0  0  0"
        "90 90 90 90"
        "55 60 65 65"
        "10 20 30 35"
        " 0  5 15 25"
        " 0  5  5  8"
        " 5 10 -5 -12"
        " 0  0  0  0"
    table knight =
        "-40 -20 -10 -10"
        "-20   0  20  20"
        "-10  20  40  45"
        "-10  15  30  35"
        "-15   5  20  25"
        "-20   0  15  15"
        "-30 -15   0   5"
        "-45 -20 -15 -10"
    table king =
        "-200 -200 -200 -200"
        "-200 -200 -200 -200"
        "-160 -160 -160 -160"
        "-120 -120 -120 -120"
        " -90  -90 -100 -100"
        " -50  -50  -70  -80"
        " -10  -15  -40  -50"
        "  20   30    0  -20"

    knight_mobility 4 : count [
        find own knight,
        leap,
        not points at own piece,
        not guarded_by_pawn
    ]
    bishop_mobility 4 : count [
        find own bishop,
        diagonal,
        glide,
        not points at own piece,
        not guarded_by_pawn
    ]
    rook_mobility 2 : count [ find own rook, orthogonal, glide, not points at own piece ]
    queen_mobility 2 : count [
        find own queen,
        any direction,
        glide,
        not points at own piece,
        not guarded_by_pawn
    ]

    shield 14 : count [
        find own king,
        any direction,
        step,
        points at own piece
    ]
    king_attack 16 : count [
        find opponent's king,
        any direction,
        step,
        as opponent attacked,
        north
    ]
    ring_unheld 24 : count [
        find opponent's king,
        any direction,
        step,
        not points at own piece,
        as opponent attacked,
        not held,
        north
    ]
    ring_in_hand 9 : (knights + bishops + rooks + queens) * count [
        find opponent's king,
        any direction,
        step,
        not points at opponent's piece,
        not held,
        north
    ]
    attackers 16 : count [ attacker ]
    knight_drop 20 : (knights > 0) * count [
        find opponent's king,
        leap,
        points at empty field,
        not attacked,
        north
    ]
    diagonal_drop 8 : (bishops + queens > 0) * count [
        find opponent's king,
        diagonal,
        glide,
        points at empty field,
        not attacked,
        north
    ]
    straight_drop 8 : (rooks + queens > 0) * count [
        find opponent's king,
        orthogonal,
        glide,
        points at empty field,
        not attacked,
        north
    ]
    pawn_threat 30 : count [
        find own pawn,
        either northwest or northeast,
        step,
        points at [opponent's knight or opponent's bishop or opponent's rook or opponent's queen]
    ]
    hanging 24 : count [
        find [opponent's pawn or opponent's knight or opponent's bishop or opponent's rook or opponent's queen],
        as opponent attacked,
        not attacked
    ]
    castling 12 : king_side + queen_side
    tempo 30 mover : 1
}

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
