# Hexxagon: grow onto a neighbouring field or jump two fields away, and turn the opponent's gems next to it; most gems win.

topology hex
dimensions (9, 9)
sides = 1
no moves = pass
repetition = draw 3

pieces {
    gem  'w' 'b'
    rock '*'
}

properties {
    quiet : board : [0 .. 100] unhashed  # moves since the last gem was added or turned
}

setup {
    "b...w____"
    "......___"
    ".......__"
    "....*..._"
    "w..*....b"
    "_....*..."
    "__......."
    "___......"
    "____b...w"
}

notation { coordinates }

main =
    either grow or jump,
    for each direction do turn_neighbour,
    try [ not find opponent's gem, win ]
    else try [ assert (quiet == 100), final ].

grow = find own gem, any direction, step, points at empty field, replace by gem, progress.

jump =
    find own gem,
    pick up,
    any direction,
    step,
    optionally turn 60,
    step,
    points at empty field,
    put down,
    assign (quiet++).

turn_neighbour = step, points at opponent's gem, replace by gem, progress.

progress = irreversible, assign (quiet = 0).

final = score (count [ find own gem ] - count [ find opponent's gem ]).
