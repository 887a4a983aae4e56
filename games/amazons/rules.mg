# Amazons: move like a queen, then shoot an arrow like a queen; who cannot move has lost.

dimensions (10, 10)
no moves = loss

pieces {
    amazon 'W' 'B'
    arrow  '*'
}

setup {
    "...B..B..."
    ".........."
    ".........."
    "B........B"
    ".........."
    ".........."
    "W........W"
    ".........."
    ".........."
    "...W..W..."
}

notation { coordinates }

evaluation {
    # Fields that only one player reaches with one move, with two, or at all.
    first 10 : count [ find empty field, in_one, not as opponent in_one ]
    second 8 : count [ find empty field, in_two, not as opponent in_two ]
    alone 12 : count [ find empty field, ever, not as opponent ever ]
    lines 2 : count [
        find own amazon,
        any direction,
        repeat 1 .. infinity times [ step, points at empty field ]
    ]
    around 4 : count [ find own amazon, any direction, step, points at empty field ]
    beside 4 : count [ find empty field, beside_own, not as opponent beside_own ]
    tempo 20 mover : 1
}

main =
    find own amazon,
    pick up,
    fly,
    put down,
    fly,
    replace by arrow,
    irreversible.

fly = any direction, repeat 1 .. infinity times [ step, points at empty field ].

# For the evaluation.

in_one = test [ fly_back, points at own amazon ].

in_two = test [ optionally fly, fly_back, points at own amazon ].

ever =
    test [
        repeat 0 .. infinity times [ any direction, step, points at empty field, north ],
        any direction,
        step,
        points at own amazon
    ].

beside_own = test [ any direction, step, points at own amazon ].

fly_back = any direction, repeat 0 .. infinity times [ step, points at empty field ], step.
