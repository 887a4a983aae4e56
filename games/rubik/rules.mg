# Rubik's cube: turn the six faces until each of them shows a single colour.
#
#            up
#      left front right back
#           down
#
# The cube is unfolded. A sticker bears the name of the face where it belongs, and each direction leads from a field to
# the one where a quarter turn of that face brings its sticker.

players = 1
topology graph
no moves = error

pieces {
    up 'U'     down 'D'
    left 'L'   right 'R'
    front 'F'  back 'B'
}

directions {
    up    :
        d9 f9 f7 d7 d9, e9 f8 e7 d8 e9, a6 j6 g6 d6 a6,
        b6 k6 h6 e6 b6, c6 l6 i6 f6 c6
    down  :
        a4 d4 g4 j4 a4, b4 e4 h4 k4 b4, c4 f4 i4 l4 c4,
        d3 f3 f1 d1 d3, e3 f2 e1 d2 e3
    left  :
        d9 d6 d3 l4 d9, d8 d5 d2 l5 d8, d7 d4 d1 l6 d7,
        a6 c6 c4 a4 a6, b6 c5 b4 a5 b6
    right :
        f9 j4 f3 f6 f9, f8 j5 f2 f5 f8, f7 j6 f1 f4 f7,
        g6 i6 i4 g4 g6, h6 i5 h4 g5 h6
    front :
        d7 g6 f3 c4 d7, e7 g5 e3 c5 e7, f7 g4 d3 c6 f7,
        d6 f6 f4 d4 d6, e6 f5 e4 d5 e6
    back  :
        d9 a4 f1 i6 d9, e9 a5 e1 i5 e9, f9 a6 d1 i4 f9,
        j6 l6 l4 j4 j6, k6 l5 k4 j5 k6
}

properties {
    arriving : field : [0 .. 6]  # while a face is turned
}

setup {
    "___UUU______"
    "___UUU______"
    "___UUU______"
    "LLLFFFRRRBBB"
    "LLLFFFRRRBBB"
    "LLLFFFRRRBBB"
    "___DDD______"
    "___DDD______"
    "___DDD______"
    apply scramble
}

scramble = for each direction do quarter_turn.

main =
    either [ up, called "U" ]
    or [ down, called "D" ]
    or [ left, called "L" ]
    or [ right, called "R" ]
    or [ front, called "F" ]
    or [ back, called "B" ],
    either quarter_turn
    or [ repeat 2 times quarter_turn, called "2" ]
    or [ repeat 3 times quarter_turn, called "'" ].

quarter_turn =
    for each up do [ step, assign (arriving = 1) ],
    for each down do [ step, assign (arriving = 2) ],
    for each left do [ step, assign (arriving = 3) ],
    for each right do [ step, assign (arriving = 4) ],
    for each front do [ step, assign (arriving = 5) ],
    for each back do [ step, assign (arriving = 6) ],
    for each any field do [ assert (arriving > 0), arrive, assign (arriving = 0) ].

arrive =
    either [ assert (arriving == 1), replace by up ]
    or [ assert (arriving == 2), replace by down ]
    or [ assert (arriving == 3), replace by left ]
    or [ assert (arriving == 4), replace by right ]
    or [ assert (arriving == 5), replace by front ]
    or [ assert (arriving == 6), replace by back ].

goal = match (
    up, up, up,
    up, up, up,
    up, up, up,
    left, left, left, front, front, front, right, right, right, back, back, back,
    left, left, left, front, front, front, right, right, right, back, back, back,
    left, left, left, front, front, front, right, right, right, back, back, back,
    down, down, down,
    down, down, down,
    down, down, down
).
