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

main =
    find own amazon,
    pick up,
    fly,
    put down,
    fly,
    replace by arrow,
    irreversible.

fly = any direction, repeat 1 .. infinity times [ step, points at empty field ].
