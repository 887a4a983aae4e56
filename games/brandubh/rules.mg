# Brandubh, the tafl game of Ireland: the king wants to reach a corner, eight attackers want to catch him.
# White has the king; Black begins.

dimensions (7, 7)
sides = 1
no moves = loss
repetition = draw 3

pieces {
    man  'W' 'B'
    king 'K' 'k'  # only White has one
}

properties {
    quiet : board : [0 .. 100] unhashed  # moves since the last capture
}

setup {
    "...B..."
    "...B..."
    "...W..."
    "BBWKWBB"
    "...W..."
    "...B..."
    "...B..."
    black to move
}

notation { coordinates }

evaluation {
    material { man 50 }
    # There are half as many defenders.
    defenders 50 : count [ white to move, find own man ]
    way_out 150 : count [ find own king, orthogonal, repeat 1 .. infinity times onward, corner ]
    king_room 6 : count [ find own king, orthogonal, repeat 1 .. infinity times onward ]
    beset -40 : count [ find own king, orthogonal, step, points at opponent's man ]
    beside_corner 12 : count [ black to move, find own man, test [ orthogonal, step, corner ] ]
    diagonal_to_corner 16 : count [ black to move, find own man, test [ diagonal, step, corner ] ]
    tempo 10 mover : 1
}

main =
    either [
        find own man,
        pick up,
        orthogonal,
        repeat 1 .. infinity times [ onward, not throne ],
        not corner
    ]
    or [ find own king, pick up, orthogonal, repeat 1 .. infinity times onward ],
    put down,
    assign (quiet++),
    north,
    repeat 4 times [ try capture, turn 90 ],
    try [ points at own king, corner, win ]
    else try [ assert (quiet == 100), draw ].

onward = step, points at empty field.

throne = assert (column == 4 && row == 4).

corner = assert ((column == 1 || column == 7) && (row == 1 || row == 7)).

# The moved piece captures the men caught beside it.
capture =
    step,
    either [ points at opponent's man, test man_caught ]
    or [ points at opponent's king, test king_caught, win ],
    replace by empty field,
    step backward,
    irreversible,
    assign (quiet = 0).

# Corners and the empty throne are everyone's enemies.
man_caught = step, either points at own piece or corner or [ throne, points at empty field ].

# On the throne by four, beside it by three, elsewhere between two.
king_caught =
    either [ throne, assert (count [ beset ] == 4) ]
    or [ beside_throne, assert (count [ beset ] == 3) ]
    or [ not throne, not beside_throne, step, either points at own man or corner ].

beset = orthogonal, step, points at own man.

beside_throne = test [ orthogonal, step, throne ].
