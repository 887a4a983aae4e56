# Jeson mor, the nine horses of Mongolia: whoever first leaves the centre with a knight, having reached it, wins.

dimensions (9, 9)
no moves = loss
repetition = draw 3

pieces { knight 'N' 'n' }

properties {
    quiet : board : [0 .. 100] unhashed  # moves since the last capture
}

setup {
    "nnnnnnnnn"
    "........."
    "........."
    "........."
    "........."
    "........."
    "........."
    "........."
    "NNNNNNNNN"
}

notation { coordinates }

looks {
    knight "♘" "♞"
    fields "chequered"
}

main =
    find own knight,
    try [ in_the_centre, win ],
    pick up,
    orthogonal,
    step,
    either turn 45 or turn -45,
    step,
    either [ points at empty field, assign (quiet++) ]
    or [ points at opponent's knight, irreversible, assign (quiet = 0) ],
    put down,
    try [ not find opponent's knight, win ]
    else try [ assert (quiet == 100), draw ].

in_the_centre = assert (column == 5 && row == 5).
