# Extinction chess: no king is safe or sacred; the first player who has none left of any one kind of piece has lost.

based on chess

evaluation {
    material { pawn 80  knight 250  bishop 260  rook 400  queen 500  king 300 }
    last -160 : (count [ find own knight ] == 1) + (count [ find own bishop ] == 1) +
        (count [ find own rook ] == 1) + (count [ find own pawn ] <= 2)
    mobility 3 : count [
        either [ find own knight, leap ]
        or [ find own bishop, diagonal, glide ]
        or [ find own rook, orthogonal, glide ],
        not points at own piece,
        north
    ]
    hanging 20 : count [ find opponent's piece, as opponent attacked, not attacked ]
    threat 300 mover : count [
        find [opponent's queen or opponent's king],
        assert (count [ find opponent's queen ] == 1),
        as opponent attacked
    ]
    tempo 10 mover : 1
}

main =
    try [ assert (quiet == 100), test legal_move, draw ]  # fifty moves each
    else try [ legal_move, try [ as opponent extinct, win ] else try [ extinct, lose ] ]
    else draw.

# Whoever takes the last of a kind has won, though the own last pawn may promote in the same move.
extinct =
    either not find own pawn
    or not find own knight
    or not find own bishop
    or not find own rook
    or not find own queen
    or not find own king.

legal_move =
    either double_step or [
        either pawn_move or en_passant_move or piece_move or castle,
        assign (en_passant = 0),
    ].

pawn_move =
    find own pawn,
    pick up,
    either [ north, step, points at empty field, progress ]
    or [ either northwest or northeast, step, capture ],
    put down,
    try [ assert (row == 8), replace by [queen or rook or bishop or knight or king] ].

double_step =
    find own pawn,
    assert (row == 2),
    pick up,
    north,
    repeat 2 times [ step, points at empty field ],
    put down,
    progress,
    assign (en_passant = 9 - column),
    try [ not as opponent en_passant_move, assign (en_passant = 0) ].

# Through attacked fields as well.
castle =
    find own king,
    at_home,
    either [ assert (king_side), king_wing ] or [ assert (queen_side), king_wing, turn 180 ],
    test [
        repeat 1 .. infinity times [ step, points at empty field ],
        step,
        points at own rook,
        not step
    ],
    replace by empty field,
    step,
    replace by rook,
    step,
    replace by king,
    while step do nothing,
    replace by empty field,
    assign (king_side = queen_side = 0),
    irreversible,
    no_progress.

# A promoted king does not castle.
at_home =
    assert (row == 1),
    either [ white to move, assert (column == 5) ] or [ black to move, assert (column == 4) ].
