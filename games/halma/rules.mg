# Halma: step, or jump over men of any colour; the first to fill the camp in the opposite corner wins.

dimensions (16, 16)
no moves = draw
repetition = draw 3

pieces { man 'w' 'b' }

properties {
    origin  : move  : [0 .. 1616]
    arrived : move  : [0 .. 1]
    played  : board : [0 .. 600] unhashed
}

setup {
    "...........bbbbb"
    "...........bbbbb"
    "............bbbb"
    ".............bbb"
    "..............bb"
    "................"
    "................"
    "................"
    "................"
    "................"
    "................"
    "ww.............."
    "www............."
    "wwww............"
    "wwwww..........."
    "wwwww..........."
}

notation { coordinates }

main =
    find own man,
    assign (origin = 100 * column + row, arrived = count [ in_camp ]),
    pick up,
    either walk or repeat 1 .. infinity times jump,
    assert (origin != 100 * column + row && arrived <= count [ in_camp ]),
    put down,
    assign (played++),
    try [ not [ find own man, not in_camp ], win ]
    else try [ assert (played == 600), draw ].  # three hundred moves each

walk = any direction, step, points at empty field.

jump = any direction, step, points at any piece, step, points at empty field.

# The opponent's corner, which men never leave again.
in_camp = assert (column >= 12 && row >= 12 && column + row >= 27).
