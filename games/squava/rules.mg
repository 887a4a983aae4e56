# Squava: on five by five fields four in a row win, but three in a row lose.

dimensions (5, 5)
sides = 1
no moves = draw

pieces { stone 'O' 'X' }

notation { coordinates }

looks { stone "○" "●" }

evaluation {
    wins 300 : count [ find empty field, test [ replace by stone, four ] ]
    barred -15 : count [ find empty field, test [ replace by stone, three ] ]
    tempo 10 mover : 1
}

main =
    find empty field,
    replace by stone,
    irreversible,
    try [ four, win ] else try [ three, lose ].

four = to_the_end, repeat 3 times back.

three = to_the_end, repeat 2 times back.

# Of the row of own stones.
to_the_end = any direction, while [ step, points at own stone ] do nothing.

back = step backward, points at own stone.
