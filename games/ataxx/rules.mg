# Ataxx: grow onto a neighbouring field or jump two fields away, and turn the opponent's discs beside it; most discs win.

dimensions (7, 7)
sides = 1
no moves = pass
repetition = draw 3

pieces { disc 'P' 'p' }

properties {
    quiet : board : [0 .. 100] unhashed  # moves since the last disc was added or turned
}

setup {
    "P.....p"
    "......."
    "......."
    "......."
    "......."
    "......."
    "p.....P"
}

notation { coordinates }

looks { disc "○" "●" }

main =
    either grow or jump,
    for each direction do turn_neighbour,
    try [ not find opponent's disc, win ]
    else try [ assert (quiet == 100), final ].

grow = find own disc, any direction, step, points at empty field, replace by disc, progress.

# Two fields straight on and up to two aside: each of the sixteen fields once.
jump =
    find own disc,
    pick up,
    orthogonal,
    repeat 2 times step,
    turn 90,
    either nothing or step or repeat 2 times step or step backward,
    points at empty field,
    put down,
    assign (quiet++).

turn_neighbour = step, points at opponent's disc, replace by disc, progress.

progress = irreversible, assign (quiet = 0).

final = score (count [ find own disc ] - count [ find opponent's disc ]).
