# Focus: stacks move as many fields as pieces are taken, and what lies too deep leaves the board.

stacks = 10
sides = 1
no moves = loss
repetition = draw 3

pieces { man 'W' 'B' }

properties { reserve : player : [0 .. 18] }

setup {
    "__....__"
    "_WWBBWW_"
    ".BBWWBB."
    ".WWBBWW."
    ".BBWWBB."
    ".WWBBWW."
    "_BBWWBB_"
    "__....__"
}

looks { man "●" "●"  man colour "ivory" "black" }

main =
    either carry (1)
    or carry (2)
    or carry (3)
    or carry (4)
    or carry (5)
    or [ assert (reserve), find any field, add man, assign (reserve--), called field, cut ].

# As many fields as pieces, over whatever lies there.
carry (count) =
    find own man,
    pick up (count),
    called (count) field,
    orthogonal,
    repeat count times step,
    put down,
    called ">" field,
    cut.

# Five pieces stay. Of those below, one's own go to the reserve, the others are lost.
cut =
    either assert (height <= 5)
    or [ assert (height > 5), pick up (5), while points at any piece do discard, put down ].

discard = try [ points at own man, assign (reserve++) ], replace by empty field.

evaluation {
    stacks 100 : count [ find own man ]
    tall 30 : sum (height) [ find own man ]
    reserve 120 : own reserve
}
