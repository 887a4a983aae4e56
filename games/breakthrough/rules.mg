# Breakthrough: the first pawn on the opponent's home row wins.

dimensions (8, 8)
no moves = loss

pieces { pawn 'w' 'b' }

setup {
    "bbbbbbbb"
    "bbbbbbbb"
    "........"
    "........"
    "........"
    "........"
    "wwwwwwww"
    "wwwwwwww"
}

notation { coordinates }

main =
    find own pawn,
    pick up,
    either [ north, step, points at empty field ]
    or [ either northwest or northeast, step, not points at own pawn ],
    put down,
    irreversible,
    try [ either assert (row == 8) or not find opponent's pawn, win ].
