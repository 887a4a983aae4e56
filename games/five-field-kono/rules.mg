# Five-field kono, from Korea: stones step diagonally; the first player to fill the other's starting fields wins.

dimensions (5, 5)
no moves = draw
repetition = draw 3

pieces { stone 'W' 'B' }

properties {
    played : board : [0 .. 300] unhashed
}

setup {
    "BBBBB"
    "B...B"
    "....."
    "W...W"
    "WWWWW"
}

notation { coordinates }

looks { stone "○" "●" }

main =
    find own stone,
    pick up,
    diagonal,
    step,
    points at empty field,
    put down,
    assign (played++),
    try [ not [ find own stone, not far ], win ]
    else try [ assert (played == 300), draw ].

far = assert (row == 5 || (row == 4 && (column == 1 || column == 5))).
