# Nine men's morris: three in a line make a mill and take a man; with three men left one may fly; who is down to
# two men, or cannot move, has lost.

topology graph
dimensions (7, 7)
no moves = loss
repetition = draw 3

pieces { man 'w' 'b' }

directions {
    north / south :
        a1 a4 a7, b2 b4 b6, c3 c4 c5, d1 d2 d3,
        d5 d6 d7, e3 e4 e5, f2 f4 f6, g1 g4 g7
    east / west   :
        a1 d1 g1, b2 d2 f2, c3 d3 e3, a4 b4 c4,
        e4 f4 g4, c5 d5 e5, b6 d6 f6, a7 d7 g7
}

properties {
    to_place : player : [0 .. 9]
    quiet    : board  : [0 .. 100] unhashed  # moves since the last man was placed or taken
    origin   : move   : [0 .. 99]
}

setup {
    ".__.__."
    "_._._._"
    "__...__"
    "..._..."
    "__...__"
    "_._._._"
    ".__.__."
    to_place = 9, 9
}

notation { coordinates }
looks { fields "lines" }

evaluation {
    material { man 120 }
    mills 24 : count [ find own man, mill ]
    half_mills 16 : count [
        find empty field,
        either [ any direction, repeat 2 times [ step, points at own man ] ] or between_two,
        north
    ]
    mobility 7 : count [ find own man, any direction, step, points at empty field, north ]
    blocked -9 : count [ find own man, not [ any direction, step, points at empty field ] ]
    crossings 4 : count [ find own man, assert (count [ any direction, step ] == 4) ]
    can_fly 60 : to_place == 0 && count [ find own man ] == 3
    tempo 8 mover : 1
}

main =
    try place else shift,
    try [ mill, take ],
    try [ assert (opponent's to_place == 0 && count [ find opponent's man ] < 3), win ]
    else try [ assert (quiet == 100), draw ].  # fifty moves each

place =
    assert (to_place > 0),
    assign (to_place--),
    find empty field,
    replace by man,
    progress.

# Along a line; with three men left, anywhere.
shift =
    find own man,
    assign (origin = 10 * column + row),
    pick up,
    either [ any direction, step, points at empty field ]
    or [
        assert (count [ find own man ] == 2),
        find empty field,
        assert (origin != 10 * column + row)
    ],
    put down,
    assign (quiet++).

# The man under the finger is at an end or in the middle of a full line.
mill = test either [ any direction, repeat 2 times [ step, points at own man ] ] or between_two.

between_two =
    either north or east,
    step,
    points at own man,
    repeat 2 times step backward,
    points at own man.

# Men in mills are safe while there are others.
take =
    try [ find opponent's man, not as opponent mill, replace by empty field ]
    else [ find opponent's man, replace by empty field ],
    progress.

progress = irreversible, assign (quiet = 0).
