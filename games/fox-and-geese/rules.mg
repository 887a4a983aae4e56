# Fox and geese: the fox leaps over geese to capture them, thirteen geese try to hem the fox in. White has the geese.

sides = 1
no moves = loss
repetition = draw 3

pieces {
    goose 'G' 'g'  # only White has them
    fox   'F' 'f'  # only Black has one
}

properties {
    quiet : board : [0 .. 100] unhashed  # moves since the last capture
}

setup {
    "__...__"
    "__...__"
    "......."
    "...f..."
    "GGGGGGG"
    "__GGG__"
    "__GGG__"
}

notation { coordinates }

looks {
    goose  "●"
    fox    "▲"
    fields "lines"
}

evaluation {
    geese 100 : count [ find own goose ]
    advance 3 : sum (row) [ find own goose ]
    fox_room -8 : count [
        white to move,
        find opponent's fox,
        orthogonal,
        step,
        points at empty field
    ]
    threats -70 : count [
        white to move,
        find opponent's fox,
        orthogonal,
        step,
        points at own goose,
        step,
        points at empty field
    ]
    tempo 10 mover : 1
}

# Five geese can no longer hem the fox in.
main =
    either [ white to move, goose_step ]
    or [ black to move, fox_move, try [ assert (count [ find opponent's goose ] < 6), win ] ],
    try [ assert (quiet == 100), draw ].

# Geese do not go back.
goose_step =
    find own goose,
    pick up,
    either north or east or west,
    step,
    points at empty field,
    put down,
    assign (quiet++).

# The fox may leap on, or stop.
fox_move =
    find own fox,
    pick up,
    either [ orthogonal, step, points at empty field, assign (quiet++) ]
    or repeat 1 .. infinity times leap,
    put down.

leap =
    orthogonal,
    step,
    points at opponent's goose,
    replace by empty field,
    step,
    points at empty field,
    assign (quiet = 0),
    irreversible.
