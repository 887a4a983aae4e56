# Domineering: White puts dominoes upright, Black puts them flat; who finds no room has lost.

parameter columns = 8 [1 .. 26]
parameter rows = 8 [1 .. 26]

dimensions (columns, rows)
sides = 1
no moves = loss

pieces { domino 'V' 'H' }

notation { coordinates }

evaluation {
    # Dominoes that fit side by side into the rows, or columns, of empty fields.
    room 20 : count [ find empty field, first, forth, pairs, step, points at empty field ]
    places 10 : count [ find empty field, forth, step, points at empty field ]
    safe 50 : count [
        find empty field,
        lone,
        not [ back, step, points at empty field, lone ],
        forth,
        lone_pairs,
        step,
        points at empty field,
        lone
    ]
    tempo 20 mover : 1
}

main =
    find empty field,
    replace by domino,
    either [ white to move, north ] or [ black to move, east ],
    step,
    points at empty field,
    replace by domino,
    irreversible.

# For the evaluation.

forth = either [ white to move, north ] or [ black to move, east ].

back = either [ white to move, south ] or [ black to move, west ].

first = not [ back, step, points at empty field ].

pairs = repeat 0 .. infinity times repeat 2 times [ step, points at empty field ].

# A field on which the opponent can put nothing.
lone =
    not [
        either [ white to move, either west or east ] or [ black to move, either south or north ],
        step,
        points at empty field
    ].

lone_pairs = repeat 0 .. infinity times repeat 2 times [ step, points at empty field, lone ].
