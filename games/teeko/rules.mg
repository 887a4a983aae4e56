# Teeko: four men each are placed and then moved to neighbouring fields; four in a line or in a square win. Black begins.

dimensions (5, 5)
sides = 1
no moves = loss
repetition = draw 3

pieces { man 'O' 'X' }

properties {
    to_place : player : [0 .. 4]
    quiet    : board  : [0 .. 100] unhashed  # moves since the last man was placed
}

setup {
    black to move
    to_place = 4, 4
}

notation { coordinates }

looks { man "○" "●" }

evaluation {
    near 6 : count [ find own man, any direction, step, points at own man ]
    threes 60 : count [ find empty field, completes ]
    middle 8 : count [ find own man, assert (row > 1 && row < 5 && column > 1 && column < 5) ]
    centre 8 : count [ find own man, assert (row == 3 && column == 3) ]
    tempo 12 mover : 1
}

main =
    try place else shift,
    try [ either line or square, win ]
    else try [ assert (quiet == 100), draw ].  # fifty moves each

place =
    assert (to_place > 0),
    assign (to_place--),
    find empty field,
    replace by man,
    irreversible.

shift =
    find own man,
    pick up,
    any direction,
    step,
    points at empty field,
    put down,
    assign (quiet++).

# To the end of the row of own men, then back along it.
line =
    any direction,
    while [ step, points at own man ] do nothing,
    repeat 3 times [ step backward, points at own man ].

# Around a square with the man in its corner.
square = orthogonal, repeat 3 times [ step, points at own man, turn 90 ].

# For the evaluation.
completes = test [ replace by man, either line or square ].
