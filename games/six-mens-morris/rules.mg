# Six men's morris: three in a line make a mill and take a man; who is down to two men, or cannot move, has lost.

topology graph
dimensions (5, 5)
no moves = loss
repetition = draw 3

pieces { man 'w' 'b' }

directions {
    north / south :
        a1 a3 a5, b2 b3 b4, c1 c2, c4 c5, d2 d3 d4, e1 e3 e5
    east / west   :
        a1 c1 e1, b2 c2 d2, a3 b3, d3 e3, b4 c4 d4, a5 c5 e5
}

properties {
    to_place : player : [0 .. 6]
    quiet    : board  : [0 .. 100] unhashed  # moves since the last man was placed or taken
}

setup {
    "._._."
    "_..._"
    ".._.."
    "_..._"
    "._._."
    to_place = 6, 6
}

notation { coordinates }
looks { fields "lines" }

main =
    try place else slide,
    try [ mill, take ],
    try [ assert (opponent's to_place == 0 && count [ find opponent's man ] < 3), win ]
    else try [ assert (quiet == 100), draw ].  # fifty moves each

place =
    assert (to_place > 0),
    assign (to_place--),
    find empty field,
    replace by man,
    progress.

slide =
    find own man,
    pick up,
    any direction,
    step,
    points at empty field,
    put down,
    assign (quiet++).

# The man under the finger is at an end or in the middle of a full line.
mill =
    test either [ any direction, repeat 2 times [ step, points at own man ] ]
    or [
        either north or east,
        step,
        points at own man,
        repeat 2 times step backward,
        points at own man
    ].

# Men in mills are safe while there are others.
take =
    try [ find opponent's man, not as opponent mill, replace by empty field ]
    else [ find opponent's man, replace by empty field ],
    progress.

progress = irreversible, assign (quiet = 0).
