# Go on a small board: surround the most; stones without a liberty are taken, and no position may come again. Black begins.

parameter size = 9 [2 .. 19]
parameter komi = 7 [0 .. 50]  # points that White gets for moving second

dimensions (size, size)
sides = 1
no moves = error  # one may always pass
repetition = forbidden

pieces {
    stone 'O' 'X'
    dead  '*'  # on its way from the board
}

properties {
    passes : board : [0 .. 2]
    margin : move  : [-361 .. 361]
}

setup { black to move }

notation { coordinates }

looks {
    stone  "○" "●"
    fields "lines"
}

evaluation {
    area 60 : count [ own_area ]
    # Empty fields near own stones only.
    influence 30 : count [
        find empty field,
        test [ near, points at own stone ],
        not [ near, points at opponent's stone ]
    ]
    liberties 10 : count [ find empty field, test [ neighbour, points at own stone ] ]
    atari -60 : count [
        find own stone,
        assert (count [ group, neighbour, points at empty field, north ] == 1)
    ]
    short -20 : count [
        find own stone,
        assert (count [ group, neighbour, points at empty field, north ] == 2)
    ]
    edge -15 : count [
        find own stone,
        assert (row == 1 || row == size || column == 1 || column == size)
    ]
    tempo 30 mover : 1
}

# The second pass in a row ends the game.
main = try [ assert (passes == 2), count_area ] else either play or pass.

play =
    find empty field,
    called field,
    replace by stone,
    try [
        test [ neighbour, points at opponent's stone, not as opponent breathes ],
        take_prisoners
    ]
    else breathes,
    assign (passes = 0).

neighbour = orthogonal, step.

# The group of the stone under the finger has an empty field beside it.
breathes = test [
    repeat 0 .. infinity times [ neighbour, points at own stone ],
    neighbour,
    points at empty field
].

take_prisoners =
    for each opponent's stone do [ not as opponent breathes, replace by dead ],
    for each dead do replace by empty field.

pass = assign (passes++).

# Stones count, and empty fields from which only the stones of one player can be reached.
count_area =
    assign (margin = count [ own_area ] - count [ as opponent own_area ]),
    either [ white to move, score (margin + komi) ] or [ black to move, score (margin - komi) ].

own_area =
    either find own stone
    or [
        find empty field,
        test [ reach, points at own stone ],
        not [ reach, points at opponent's stone ]
    ].

reach = repeat 0 .. infinity times [ points at empty field, neighbour ].

# For the evaluation.

near = repeat 1 .. 2 times neighbour.

group = repeat 0 .. infinity times [ neighbour, points at own stone ].
