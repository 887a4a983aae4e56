# Yavalath: four stones in a row win, but three in a row lose.

parameter swap = 1 [0 .. 1]  # whether Black may take over White's first stone

topology hex
dimensions (9, 9)
sides = 1
no moves = draw

pieces { stone 'O' 'X' }

setup {
    ".....____"
    "......___"
    ".......__"
    "........_"
    "........."
    "_........"
    "__......."
    "___......"
    "____....."
}

notation { coordinates }

looks { stone "○" "●" }

evaluation {
    # Empty fields that make four, those that make three, and pairs that may become four.
    wins 300 : count [ find empty field, makes_four ]
    barred -15 : count [ find empty field, makes_three, not makes_four ]
    open 6 : count [
        find own stone,
        any direction,
        repeat 3 times [ step, not points at opponent's stone ]
    ]
    tempo 10 mover : 1
}

main =
    either [ find empty field, replace by stone ] or take_over,
    irreversible,
    try [ four, win ] else try [ three, lose ].

take_over =
    assert (swap),
    black to move,
    assert (count [ find any piece ] == 1),
    find opponent's stone,
    replace by stone.

four = to_the_end, repeat 3 times back.

three = to_the_end, repeat 2 times back.

# Of the row of own stones.
to_the_end = any direction, while [ step, points at own stone ] do nothing.

back = step backward, points at own stone.

# For the evaluation.

makes_four = test [ replace by stone, four ].

makes_three = test [ replace by stone, three ].
