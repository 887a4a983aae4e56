# Tablut: the king of the Swedes tries to reach the edge of the board, the Muscovites around him try to catch him.
# White are the Swedes; Black, the Muscovites, begins.

dimensions (9, 9)
sides = 1
no moves = loss
repetition = draw 3

pieces {
    man  'W' 'B'
    king 'K' 'k'  # only White has one
}

properties {
    quiet : board : [0 .. 200] unhashed  # moves since the last capture
}

setup {
    "...BBB..."
    "....B...."
    "....W...."
    "B...W...B"
    "BBWWKWWBB"
    "B...W...B"
    "....W...."
    "....B...."
    "...BBB..."
    black to move
}

notation { coordinates }

evaluation {
    calm = count [ find opponent's king, ride, at_edge ] == 0

    material { man 50 }
    # There are half as many Swedes.
    swedes 50 : count [ white to move, find own man ]
    # Open ways of the king to the edge, with one move and with two.
    ways 120 : count [ find own king, ride, at_edge ]
    two_ways 400 : count [ find own king, ride, at_edge ] > 1
    ways_after 12 : count [ find own king, ride, ride, at_edge, north ]
    king_room 6 : count [ find own king, ride ]
    beset -40 : count [ find own king, orthogonal, step, points at opponent's man ]
    # Muscovites that cut off the corners.
    watch 10 : count [ black to move, find own man, watching ]
    hemmed -3 : count [
        white to move,
        find own king,
        ride,
        orthogonal,
        step,
        points at opponent's man
    ]
    mobility 1 : count [ find own man, ride ]
    tempo 10 mover : 1
}

main =
    find own piece,
    pick up,
    orthogonal,
    repeat 1 .. infinity times [ step, points at empty field, not throne ],
    put down,
    assign (quiet++),
    north,
    repeat 4 times [ try capture, turn 90 ],
    try [ points at own king, assert (row == 1 || row == 9 || column == 1 || column == 9), win ]
    else try [ assert (quiet == 200), draw ].

throne = assert (column == 5 && row == 5).

# The moved piece captures the men caught beside it.
capture =
    step,
    either [ points at opponent's man, test man_caught ]
    or [ points at opponent's king, test king_caught, win ],
    replace by empty field,
    step backward,
    irreversible,
    assign (quiet = 0).

# Between two enemies, or between an enemy and the throne when it is hostile.
man_caught = step, either points at own piece or hostile_throne.

# The empty throne is everyone's enemy; that of a king beset on three sides is the enemy of the last man beside it.
hostile_throne =
    throne,
    either points at empty field or [ points at opponent's king, three_beside ].

three_beside = assert (count [ orthogonal, step, points at own man ] == 3).

# On the throne by four, beside it by three, elsewhere between two.
king_caught =
    either [ throne, not [ orthogonal, step, not points at own man ] ]
    or [ beside_throne, three_beside ]
    or [ not throne, not beside_throne, step, points at own man ].

beside_throne = test [ orthogonal, step, throne ].

# For the evaluation.

ride = orthogonal, repeat 1 .. infinity times [ step, points at empty field, not throne ].

at_edge = assert (row == 1 || row == 9 || column == 1 || column == 9).

watching =
    either assert ((row == 2 || row == 8) && (column == 3 || column == 7))
    or assert ((row == 3 || row == 7) && (column == 2 || column == 8)).
