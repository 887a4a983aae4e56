# Gardner's minichess: all kinds of chessmen on five by five fields, without double steps and castling.

based on "los-alamos"

dimensions (5, 5)

pieces { bishop 'B' 'b' }

setup {
    "rnbqk"
    "ppppp"
    "....."
    "PPPPP"
    "RNBQK"
}

looks { bishop "♗" "♝" }

legal_move = either pawn_move or piece_move or bishop_move, not check.

bishop_move =
    find own bishop,
    pick up,
    diagonal,
    glide,
    either [ points at empty field, assign (quiet += quiet < 100) ] or capture,
    put down.

pawn_move =
    find own pawn,
    pick up,
    either [ north, step, points at empty field, progress ]
    or [ either northwest or northeast, step, capture ],
    put down,
    try [ assert (row == 5), replace by [queen or rook or bishop or knight] ].

check =
    find own king,
    test either [ either northwest or northeast, step, points at opponent's pawn ]
    or [ leap, points at opponent's knight ]
    or [ orthogonal, glide, points at [opponent's rook or opponent's queen] ]
    or [ diagonal, glide, points at [opponent's bishop or opponent's queen] ]
    or [ any direction, step, points at opponent's king ].
