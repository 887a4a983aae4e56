# Hnefatafl, the board game of the Vikings: the king wants to reach a corner, twenty-four attackers want to surround him.
# White has the king; Black begins.

based on brandubh

dimensions (11, 11)

properties {
    quiet : board : [0 .. 200] unhashed  # moves since the last capture
}

setup {
    "...BBBBB..."
    ".....B....."
    "..........."
    "B....W....B"
    "B...WWW...B"
    "BB.WWKWW.BB"
    "B...WWW...B"
    "B....W....B"
    "..........."
    ".....B....."
    "...BBBBB..."
    black to move
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
    else try [ assert (quiet == 200), draw ].

throne = assert (column == 6 && row == 6).

corner = assert ((column == 1 || column == 11) && (row == 1 || row == 11)).

# By four, or by three beside the throne; so never on the edge.
king_caught =
    either assert (count [ beset ] == 4)
    or [ beside_throne, assert (count [ beset ] == 3) ].
