# Lasca: draughts in which captured men go below the column that takes them, and come free again.

stacks = 22
no moves = loss
repetition = draw 3

pieces {
    soldier 'w' 'b'
    officer 'W' 'B'
}

properties {
    jumped  : move : [0 .. 33554431]
    crowned : move : [0 .. 1]
}

setup {
    "b_b_b_b"
    "_b_b_b_"
    "b_b_b_b"
    "_._._._"
    "w_w_w_w"
    "_w_w_w_"
    "w_w_w_w"
}

notation { coordinates }

looks {
    soldier        "●"     "●"
    officer        "◉"     "◉"
    soldier colour "ivory" "black"
    officer colour "ivory" "black"
    fields         "chequered"
}

main = try capture else walk.

walk =
    find own piece,
    ways (points at own officer),
    step,
    points at empty field,
    step backward,
    pick up (height),
    step,
    arrive.

# On and on with the same column, until it can jump no more or its soldier is promoted.
capture =
    find own piece,
    prey (points at own officer),
    step backward,
    pick up (height),
    step,
    take,
    while [ assert (!crowned), prey ([ holds officer ]), not jumped_over ] do take,
    arrive.

ways (backward_too) = either ahead or [ backward_too, either southwest or southeast ].

ahead = either northwest or northeast.

# The finger goes to an enemy that can be jumped over.
prey (backward_too) =
    ways (backward_too),
    step,
    points at opponent's piece,
    test [ step, points at empty field ].

jumped_over = assert (jumped >> (row * 7 + column - 8) / 2 & 1).

# The enemy on top goes below the column; no column is jumped twice in a move.
take =
    assign (jumped |= 1 << (row * 7 + column - 8) / 2),
    pick up,
    step,
    try [ assert (row == 7), holds soldier, assign (crowned = 1) ].

arrive =
    put down,
    try [ assert (row == 7), points at own soldier, replace by own officer, irreversible ].

evaluation {
    material { soldier 100  officer 160 }
    held 30 : sum (height) [ find own piece ]
    mobility 4 : count [
        find own piece,
        either northwest or northeast,
        step,
        points at empty field
    ]
}
