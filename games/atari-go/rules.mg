# Atari go: go in which the first player to capture a stone wins. Black begins.

parameter size = 9 [3 .. 19]

dimensions (size, size)
sides = 1
no moves = loss

pieces { stone 'O' 'X' }

setup { black to move }

notation { coordinates }

looks {
    stone  "○" "●"
    fields "lines"
}

evaluation {
    atari 200 mover : count [ find opponent's stone, assert (count [ liberties_of_theirs ] == 1) ] > 0
    weak -30 : count [ find own stone, assert (count [ liberties ] == 1) ]
    thin -12 : count [ find own stone, assert (count [ liberties ] == 2) ]
    breath 2 : count [ find own stone, orthogonal, step, points at empty field, north ]
    tempo 5 mover : 1
}

# Stones without a liberty may be placed only where they capture.
main =
    find empty field,
    replace by stone,
    irreversible,
    try [
        orthogonal,
        step,
        points at opponent's stone,
        not liberties_of_theirs,
        win
    ]
    else [ test liberties ].

liberties = chain, orthogonal, step, points at empty field, north.

chain = repeat 0 .. infinity times [ orthogonal, step, points at own stone ].

liberties_of_theirs =
    repeat 0 .. infinity times [ orthogonal, step, points at opponent's stone ],
    orthogonal,
    step,
    points at empty field,
    north.
