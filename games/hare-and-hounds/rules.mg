# Hare and hounds: three hounds, who never go back, try to trap the hare, who tries to slip past them. White has the hounds.

dimensions (5, 3)
sides = 1
no moves = loss

pieces {
    hound 'H' 'h'  # only White has them
    hare  'R' 'r'  # only Black has one
}

properties {
    upright : board : [0 .. 10]  # moves up or down that the hounds made in a row
    place   : move  : [0 .. 5]
}

setup {
    "_H.._"
    "H...r"
    "_H.._"
}

notation { coordinates }

looks {
    hound  "●"
    hare   "◆"
    fields "lines"
}

main =
    either [ white to move, hound_move, try [ assert (upright == 10), lose ] ]
    or [ black to move, hare_move, try [ escaped, win ] ].

hound_move =
    find own hound,
    pick up,
    either [ either north or south, assign (upright++) ]
    or [ either east or [ crossing, either northeast or southeast ], assign (upright = 0) ],
    step,
    points at empty field,
    put down.

hare_move =
    find own hare,
    pick up,
    either orthogonal or [ crossing, diagonal ],
    step,
    points at empty field,
    put down.

# Diagonal lines join every second point.
crossing = assert ((row + column) % 2 == 1).

# No hound is further to the left.
escaped = assign (place = column), not [ find opponent's hound, assert (column < place) ].
