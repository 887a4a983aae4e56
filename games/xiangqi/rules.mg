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

evaluation {
    phase = count [ find [own horse or opponent's horse or own cannon or opponent's cannon] ] +
        2 * count [ find [own chariot or opponent's chariot] ] [0 .. 16]

    calm = count [ check ] == 0

    material {
        soldier 70 .. 90  advisor 180 .. 190  elephant 180 .. 190
        horse 380 .. 430  cannon 430 .. 410   chariot 880 .. 920
    }

    table soldier =
        " 0  0  10  20  30"
        "50 70  90 110 120"
        "60 80 100 115 120"
        "60 75  90 100 100"
        "45 55  65  70  70"
        " 0  0   5   0  10"
        " 0  0   0   0   0"
        " 0  0   0   0   0"
        " 0  0   0   0   0"
        " 0  0   0   0   0"
    table horse =
        "  0   0   0   5   5"
        "  0  10  30  15   5"
        " 10  15  20  30  15"
        " 10  30  25  30  25"
        " 10  20  25  30  30"
        "  5  15  20  25  25"
        "  0   5  15  10  20"
        "  0   5  15  10   5"
        "-10  -5   5   0 -40"
        "-15 -15  -5  -5 -20"
    table cannon =
        "15 10  0 -15 -20"
        " 5  5  0 -10 -15"
        " 5  5  0 -10 -10"
        " 0  5  5   5  15"
        " 0  0  0   0  10"
        "-5  0  5   0  10"
        " 0  0  0   0   5"
        " 0  0 10   5  15"
        " 0  5  5   5   5"
        " 0  0  5   8   8"
    table chariot =
        " 5  5  5  10  10"
        "10 15 10  20  25"
        " 5 10 10  15  15"
        " 8 15 15  18  18"
        "10 15 15  18  18"
        "10 15 15  18  18"
        " 5 10  8  15  15"
        "-2  8  5  12  12"
        " 0 10  5  12   0"
        "-15  5  0  12   0"
    table general =
        "0 0 0 0 0"
        "0 0 0 0 0"
        "0 0 0 0 0"
        "0 0 0 0 0"
        "0 0 0 0 0"
        "0 0 0 0 0"
        "0 0 0 0 0"
        "0 0 0 -60 -60"
        "0 0 0 -35 -30"
        "0 0 0 0 10"

    horse_moves 6 : count [
        find own horse,
        orthogonal,
        step,
        points at empty field,
        fork,
        step,
        not points at own piece
    ]
    chariot_moves 4 : count [ find own chariot, orthogonal, glide, not points at own piece ]
    cannon_moves 2 : count [ find own cannon, orthogonal, glide, points at empty field ]

    # With nothing before the general a cannon makes whatever comes between a screen.
    bare_general 45 .. 10 : count [
        find opponent's general,
        south,
        repeat 2 .. infinity times [ step, points at empty field ],
        step,
        points at own cannon
    ]
    palace_attack 8 .. 6 : count [
        find any field,
        assert (row >= 8 && column >= 4 && column <= 6),
        as opponent attacked
    ]
    palace_unheld 10 : count [
        find any field,
        assert (row >= 8 && column >= 4 && column <= 6),
        as opponent attacked,
        not held
    ]
    escapes 8 : count [
        find own general,
        orthogonal,
        step,
        in_palace,
        not points at own piece,
        not attacked
    ]
    guards_against_chariots 12 .. 4 : count [ find own advisor ] * count [
        find opponent's chariot
    ]
    soldier_pair 12 : count [
        find own soldier,
        not on_home_bank,
        east,
        step,
        points at own soldier
    ]
    hanging 20 : count [
        find [opponent's soldier or opponent's advisor or opponent's elephant],
        as opponent attacked,
        not held
    ]
    hanging_piece 40 : count [
        find [opponent's horse or opponent's cannon or opponent's chariot],
        as opponent attacked,
        not held
    ]
    chariot_threat 45 : count [
        find opponent's chariot,
        as opponent threatened_by_less
    ]
    tempo 20 .. 15 mover : 1
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

# A player who gave check with every move since the position first occurred has lost; a draw if both or neither did.
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

# For the evaluation.

attacked =
    test either [ orthogonal, glide, points at opponent's chariot ]
    or threatened_by_less.

threatened_by_less =
    test either [ orthogonal, over_screen, points at opponent's cannon ]
    or [ diagonal, step, points at empty field, fork, step, points at opponent's horse ]
    or [ north, step, points at opponent's soldier ]
    or [ on_home_bank, either east or west, step, points at opponent's soldier ].

held =
    test either attacked
    or [
        assert (row >= 8 && column >= 4 && column <= 6),
        either [ orthogonal, step, points at opponent's general ]
        or [ diagonal, step, points at opponent's advisor ]
    ]
    or [
        not on_home_bank,
        diagonal,
        step,
        points at empty field,
        step,
        points at opponent's elephant
    ].
