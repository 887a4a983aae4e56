# Three musketeers: they must capture with every move, win when they cannot, and lose when they stand in one line.
# White has the musketeers.

dimensions (5, 5)
sides = 1
no moves = loss

pieces {
    musketeer 'M' 'm'  # only White has them
    man       'E' 'e'  # only Black has them
}

setup {
    "eeeeM"
    "eeeee"
    "eeMee"
    "eeeee"
    "Meeee"
}

notation { coordinates }

main =
    either [ white to move, try fight else win ]
    or [ black to move, approach ].

fight =
    find own musketeer,
    pick up,
    orthogonal,
    step,
    points at opponent's man,
    put down,
    irreversible,
    try [ in_line, lose ].

approach = find own man, pick up, orthogonal, step, points at empty field, put down.

# All three in the row or column of the one that moved.
in_line =
    either assert (count [ either west or east, along ] == 3)
    or assert (count [ either north or south, along ] == 3).

along = repeat 0 .. infinity times step, points at own musketeer, north.
