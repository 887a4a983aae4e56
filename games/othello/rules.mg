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

evaluation {
    phase = count [ find empty field ] [0 .. 60]

    table disc =
        "60 -14  8  4"
        "-14 -26 -4 -2"
        "  8  -4  3  1"
        "  4  -2  1  0"
        "  4  -2  1  0"
        "  8  -4  3  1"
        "-14 -26 -4 -2"
        "60 -14  8  4"
        ..
        "26   2  4  3"
        " 2  -4  1  1"
        " 4   1  2  2"
        " 3   1  2  3"
        " 3   1  2  3"
        " 4   1  2  2"
        " 2  -4  1  1"
        "26   2  4  3"
    mobility 14 .. 4 : count [ find empty field, test [ any direction, enclosed ], north ]
    frontier -7 .. -1 : count [
        find own disc,
        test [ any direction, step, points at empty field ]
    ]
    empty_near 5 .. 1 : count [
        find empty field,
        test [ any direction, step, points at opponent's disc ]
    ]
    # Next to a corner of one's own nothing is dangerous any more.
    safe_edge 22 .. 10 : count [
        corner,
        points at own disc,
        orthogonal,
        step,
        points at own disc
    ]
    safe_diagonal 26 .. 8 : count [
        corner,
        points at own disc,
        diagonal,
        step,
        points at own disc
    ]
    edge_run 9 .. 8 : count [
        corner,
        points at own disc,
        orthogonal,
        repeat 1 .. infinity times [ step, points at own disc ]
    ]
    corner_move 36 .. 16 : count [
        corner,
        points at empty field,
        test [ any direction, enclosed ]
    ]
}

# The square weights of Multello, a parallel program for this game.
evaluation multello {
    table disc =
        "25 3 20 18"
        "3 1 6 8"
        "20 6 14 12"
        "18 8 12 10"
        "18 8 12 10"
        "20 6 14 12"
        "3 1 6 8"
        "25 3 20 18"
}

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

# For the evaluation.
corner =
    either move to (1, 1) or move to (1, 8) or move to (8, 1) or move to (8, 8).
