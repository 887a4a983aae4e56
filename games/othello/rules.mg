# Othello: enclose the opponent's discs to turn them; most discs win. Black begins.

dimensions (8, 8)
sides = 1
no moves = pass

pieces { disc 'O' 'X' }

setup {
    "........"
    "........"
    "........"
    "...XO..."
    "...OX..."
    "........"
    "........"
    "........"
    black to move
}

notation { coordinates }

main =
    find empty field,
    test [ any direction, enclosed ],
    replace by disc,
    for each direction do turn_enclosed,
    irreversible.

# Some of the opponent's discs, then one of ours.
enclosed =
    repeat 1 .. infinity times [ step, points at opponent's disc ],
    step,
    points at own disc.

turn_enclosed =
    test enclosed,
    step,
    while points at opponent's disc do [ replace by disc, step ].

# Neither can move: the discs are counted.
final = score (count [ find own disc ] - count [ find opponent's disc ]).
