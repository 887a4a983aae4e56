# Chess960, or Fischer random chess: the home row is shuffled in one of 960 ways, castling ends where it always does.

based on chess

parameter number = 518 [0 .. 959]  # Scharnagl's; 518 is the array of chess

properties {
    king_side, queen_side : player : [0 .. 8]           # column of the rook that may still castle, as its owner sees it
    castled               : player : [0 .. 1] unhashed  # tells castling from a rook's move to the same position
    place, code           : move   : [0 .. 9]
    rook_from, goal       : move   : [0 .. 8]
    king_to, rook_to      : move   : [0 .. 8]
}

setup {
    "........"
    "pppppppp"
    "........"
    "........"
    "........"
    "........"
    "PPPPPPPP"
    "........"
    apply arrange
}

notation { uci algebraic }

# The array of a number: both bishops, then the queen, the knights, and rook, king and rook on the fields left over.

arrange =
    move to (number % 4 * 2 + 2, 1),
    replace by bishop,
    move to (number / 4 % 4 * 2 + 1, 1),
    replace by bishop,
    assign (place = number / 16 % 6),
    free_place,
    replace by queen,
    assign (code = number / 96),
    assign (place = code < 4 ? code + 1 : code < 7 ? code - 2 : code < 9 ? code - 4 : 4),
    free_place,
    replace by knight,
    assign (place = code < 4 ? 0 : code < 7 ? 1 : code < 9 ? 2 : 3),
    free_place,
    replace by knight,
    assign (place = 0),
    free_place,
    replace by rook,
    assign (queen_side = column, opponent's queen_side = 9 - column),
    free_place,
    replace by king,
    free_place,
    replace by rook,
    assign (king_side = column, opponent's king_side = 9 - column),
    for each own piece do [ assert (row == 1), mirror ].

# The empty field of the home row with this many others to its left.
free_place =
    find empty field,
    assert (row == 1 &&
        place == count [ west, repeat 1 .. infinity times step, points at empty field ]).

mirror =
    north,
    either [ points at own knight, far_side, replace by opponent's knight ]
    or [ points at own bishop, far_side, replace by opponent's bishop ]
    or [ points at own rook, far_side, replace by opponent's rook ]
    or [ points at own queen, far_side, replace by opponent's queen ]
    or [ points at own king, far_side, replace by opponent's king ].

far_side = repeat 7 times step.

# The piece under the finger leaves its field, and with king or rook goes the right to castle.
unsettle =
    try [ points at own king, assign (king_side = queen_side = 0) ],
    try [ assert (row == 1 && column == king_side), assign (king_side = 0) ],
    try [ assert (row == 1 && column == queen_side), assign (queen_side = 0) ].

# Castling: the king goes to g1 or c1, the rook to f1 or d1. Nothing else is in their ways, and the king neither
# leaves, crosses nor reaches an attacked field.

castle =
    either [ assert (king_side), assign (rook_from = king_side, king_to = 7, rook_to = 6) ]
    or [ assert (queen_side), assign (rook_from = queen_side, king_to = 3, rook_to = 4) ],
    try [ black to move, assign (king_to = 9 - king_to, rook_to = 9 - rook_to) ],
    find own king,
    not attacked,
    replace by empty field,
    assign (goal = king_to),
    while toward_goal do [
        either points at empty field or assert (column == rook_from),
        not attacked
    ],
    move to (rook_from, 1),
    replace by empty field,
    assign (goal = rook_to),
    while toward_goal do points at empty field,
    replace by rook,
    move to (king_to, 1),
    replace by king,
    assign (king_side = queen_side = 0, castled = 1),
    irreversible,
    no_progress.

toward_goal = either [ assert (column < goal), east ] or [ assert (column > goal), west ], step.
