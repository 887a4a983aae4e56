# Xiangqi, the chess of China: a river, two palaces, cannons that leap over a screen, and generals that must not face.

dimensions (9, 10)
no moves = loss  # whether in check or not
repetition = judge 3 (cycle)

pieces {
    general  'K' 'k'
    advisor  'A' 'a'
    elephant 'B' 'b'
    horse    'N' 'n'
    chariot  'R' 'r'
    cannon   'C' 'c'
    soldier  'P' 'p'
}

properties {
    quiet  : board  : [0 .. 120] unhashed  # moves since the last capture
    checks : player : [0 .. 120] unhashed  # given with the last of these moves
    cycle  : move   : [0 .. 120]
}

setup {
    "rnbakabnr"
    "........."
    ".c.....c."
    "p.p.p.p.p"
    "........."
    "........."
    "P.P.P.P.P"
    ".C.....C."
    "........."
    "RNBAKABNR"
}

notation { iccs }

looks {
    general "帥" "將"  advisor "仕" "士"  elephant "相" "象"  horse "傌" "馬"
    chariot "俥" "車"  cannon "炮" "砲"   soldier "兵" "卒"
    fields "lines"
}

main =
    either [ find own general, pick up, orthogonal, step, in_palace ]
    or [ find own advisor, pick up, diagonal, step, in_palace ]
    or [ find own elephant, pick up, diagonal, step, points at empty field, step, on_home_bank ]
    or [ find own horse, pick up, orthogonal, step, points at empty field, fork, step ]
    or [ find own chariot, pick up, orthogonal, glide ]
    or [ find own cannon, pick up, orthogonal, cannon_way ]
    or [ find own soldier, soldier_direction, pick up, step ],
    either [ points at empty field, assign (quiet++) ]
    or [ points at opponent's piece, irreversible, assign (quiet = 0) ],
    put down,
    not check,
    try [ as opponent check, assign (checks = checks < 120 ? checks + 1 : 120) ]
    else assign (checks = 0),
    try [ assert (quiet == 120), draw ].  # sixty moves each

# Who gave check with every move since the position first occurred has lost; if both did, or nobody, it is a draw.
repeated =
    try [ assert (2 * checks >= cycle), assert (2 * opponent's checks >= cycle), draw ]
    else either [ assert (2 * opponent's checks >= cycle), win ]
    or [ assert (2 * checks >= cycle), lose ].

in_palace = assert (row <= 3 && column >= 4 && column <= 6).

on_home_bank = assert (row <= 5).

soldier_direction = either north or [ not on_home_bank, either east or west ].

fork = either turn 45 or turn -45.

glide = repeat 0 .. infinity times [ step, points at empty field ], step.

over_screen = glide, points at any piece, glide.

cannon_way = either [ glide, points at empty field ] or [ over_screen, points at any piece ].

# The same ways backward. A horse is blocked at its own side, and an open file between the generals counts as an attack.
check =
    find own general,
    test either [ orthogonal, glide, points at [opponent's chariot or opponent's general] ]
    or [ orthogonal, over_screen, points at opponent's cannon ]
    or [ diagonal, step, points at empty field, fork, step, points at opponent's horse ]
    or [ either north or east or west, step, points at opponent's soldier ].
