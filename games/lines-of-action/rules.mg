# Lines of action: move as far as there are men on the line; the player who brings all men together wins. Black begins.

dimensions (8, 8)
no moves = pass
repetition = draw 3

pieces { man 'O' 'X' }

properties {
    distance : move : [0 .. 8]
    captured : move : [0 .. 1]  # which alone can bring the opponent's men together
}

setup {
    ".XXXXXX."
    "O......O"
    "O......O"
    "O......O"
    "O......O"
    "O......O"
    "O......O"
    ".XXXXXX."
    black to move
}

notation { coordinates }

evaluation {
    table man =
        "-36 -18 -14 -12"
        "-18   4   8  10"
        "-14   8  20  22"
        "-12  10  22  28"
        "-12  10  22  28"
        "-14   8  20  22"
        "-18   4   8  10"
        "-36 -18 -14 -12"
    links 5 : count [ find own man, any direction, step, points at own man ]
    lonely -26 : count [ find own man, not [ any direction, step, points at own man ] ]
    far_away -16 : count [
        find own man,
        not [ any direction, repeat 1 .. 2 times step, points at own man ]
    ]
    walls 3 : count [ find opponent's man, any direction, step, points at own man ]
    tempo 10 mover : 1
}

main =
    find own man,
    any direction,
    assign (distance = count [ along ] + count [ turn 180, step, along ]),
    pick up,
    while assert (--distance > 0) do [ step, not points at opponent's man ],
    step,
    not points at own man,
    try [ points at opponent's man, irreversible, assign (captured = 1) ],
    put down,
    try [ together, win ]
    else try [ assert (captured), as opponent [ find own man, together ], lose ].

# A man on the line, from the finger on.
along = repeat 0 .. infinity times step, points at any piece.

# The man under the finger has all the others in its group.
together = assert (count [ group ] == count [ find own man ]).

# Each man of it once: the direction is forgotten.
group = north, repeat 0 .. infinity times [ any direction, step, points at own man, north ].

# Neither can move.
final = draw.
