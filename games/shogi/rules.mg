# Shogi, the chess of Japan: what is captured changes sides and may be dropped on an empty field.

uses shogi

dimensions (9, 9)
no moves = loss
repetition = judge 4 (cycle)

pieces {
    king    'K' 'k'
    gold    'G' 'g'
    silver  'S' 's'
    knight  'N' 'n'
    lance   'L' 'l'
    bishop  'B' 'b'
    rook    'R' 'r'
    pawn    'P' 'p'
    narigin 'A' 'a'  # promoted silver; this and the next three go like a gold
    narikei 'C' 'c'  # promoted knight
    narikyo 'E' 'e'  # promoted lance
    tokin   'T' 't'  # promoted pawn
    horse   'H' 'h'  # promoted bishop
    dragon  'D' 'd'  # promoted rook
}

pattern golden = [gold or narigin or narikei or narikyo or tokin]

properties {
    pawns                           : player : [0 .. 18]  # in hand
    golds, silvers, knights, lances : player : [0 .. 4]
    bishops, rooks                  : player : [0 .. 2]
    in_zone                         : move   : [0 .. 1]  # the move began on the last three rows
    moves                           : board  : [0 .. 500] unhashed
    checks                          : player : [0 .. 500] unhashed  # given with the last moves
    cycle                           : move   : [0 .. 500]
}

setup {
    "lnsgkgsnl"
    ".r.....b."
    "ppppppppp"
    "........."
    "........."
    "........."
    "PPPPPPPPP"
    ".B.....R."
    "LNSGKGSNL"
}

notation { usi }

looks {
    king "玉" "王"  gold "金"     silver "銀"   knight "桂"   lance "香"  bishop "角"  rook "飛"
    pawn "歩"      narigin "全"  narikei "圭"  narikyo "杏"  tokin "と"  horse "馬"   dragon "龍"
}

evaluation {
    calm = count [ check ] == 0

    material {
        pawn 90    lance 240    knight 260   silver 400  gold 460  bishop 640  rook 780
        tokin 420  narikyo 420  narikei 430  narigin 450
        horse 880  dragon 1060
    }
    pawns_in_hand 110 : pawns
    lances_in_hand 270 : lances
    knights_in_hand 290 : knights
    silvers_in_hand 440 : silvers
    golds_in_hand 500 : golds
    bishops_in_hand 700 : bishops
    rooks_in_hand 850 : rooks

    table king =
        "0 0 0 0 0"
        "0 0 0 0 0"
        "0 0 0 0 0"
        "-60 -60 -70 -80 -80"
        "-50 -60 -70 -80 -80"
        "-40 -50 -60 -70 -70"
        "-10 -20 -35 -50 -50"
        "20 40 20 -10 -25"
        "30 30 15 0 -15"
    table silver =
        "0 0 0 0 0"
        "0 0 10 10 10"
        "0 10 15 20 20"
        "0 10 20 25 25"
        "0 10 20 25 25"
        "-5 10 20 20 20"
        "-5 5 15 15 15"
        "-10 5 10 10 5"
        "-15 -5 0 -5 -10"
    table gold =
        "-20 -10 0 0 0"
        "-10 0 10 10 10"
        "-10 0 10 10 10"
        "-20 -10 0 5 5"
        "-20 -10 0 5 5"
        "-15 -5 0 5 5"
        "-10 5 15 15 10"
        "-10 10 20 25 20"
        "-20 0 15 10 5"
    table pawn =
        "0 0 0 0 0"
        "20 20 20 20 20"
        "30 30 30 30 30"
        "25 25 25 25 25"
        "15 15 15 18 18"
        "8 8 10 8 5"
        "0 0 0 0 0"
        "0 0 0 0 0"
        "0 0 0 0 0"

    bishop_moves 5 : count [ find [own bishop or own horse], bishop_way, not points at own piece ]
    rook_moves 5 : count [ find [own rook or own dragon], rook_way, not points at own piece ]
    lance_moves 2 : count [ find own lance, lance_way, not points at own piece ]

    king_attack 16 : count [
        find opponent's king,
        any direction,
        step,
        as opponent attacked,
        north
    ]
    ring_unheld 24 : count [
        find opponent's king,
        any direction,
        step,
        not points at own piece,
        as opponent attacked,
        not held,
        north
    ]
    guards 16 : count [
        find own king,
        any direction,
        step,
        points at [own golden or own silver or own horse]
    ]
    escapes 8 : count [
        find own king,
        any direction,
        step,
        not points at own piece,
        not attacked
    ]
    near 14 : count [
        find [own golden or own silver or own horse or own dragon],
        test [ any direction, repeat 1 .. 2 times step, points at opponent's king ]
    ]
    hand_attack 5 : (golds + silvers + bishops + rooks) * count [
        find opponent's king,
        any direction,
        step,
        points at empty field,
        as opponent attacked,
        north
    ]
    drop_checks 8 : (golds + silvers + rooks > 0) * count [
        find opponent's king,
        orthogonal,
        step,
        points at empty field,
        not attacked
    ]
    open_king -3 : (opponent's golds + opponent's silvers + opponent's bishops + opponent's rooks) * count [
        find own king,
        any direction,
        step,
        points at empty field,
        not as opponent held,
        north
    ]
    hanging 25 : count [
        find opponent's piece,
        not points at opponent's king,
        as opponent attacked,
        not attacked
    ]
    hanging_big 25 : count [
        find [opponent's rook or opponent's bishop or opponent's horse or opponent's dragon],
        as opponent attacked,
        north
    ]
    pawn_threat 30 : count [
        find own pawn,
        north,
        step,
        points at opponent's piece,
        not points at [opponent's pawn or opponent's king]
    ]
    knight_fork 25 : count [
        find own knight,
        knight_leap,
        points at [opponent's gold or opponent's silver or opponent's rook or opponent's bishop]
    ]
    tempo 30 mover : 1
}

main =
    either walk or drop,
    not check,
    count_check,
    assign (moves++),
    try [ assert (moves == 500), draw ].

# A player who gave check with every move since the position first occurred has lost; otherwise nobody.
repeated =
    either [ assert (2 * opponent's checks >= cycle), win ]
    or [ assert (2 * checks >= cycle), lose ].

# On the board.

walk =
    either [ find own king, pick up, any direction, step ]
    or [
        find golden,
        pick up,
        gold_step
    ]
    or [ find own silver, lift, silver_step ]
    or [ find own knight, lift, knight_leap ]
    or [ find own lance, lift, lance_way ]
    or [ find own bishop, lift, bishop_way ]
    or [ find own rook, lift, rook_way ]
    or [ find own pawn, lift, north, step ]
    or [ find own horse, pick up, either bishop_way or [ orthogonal, step ] ]
    or [ find own dragon, pick up, either rook_way or [ diagonal, step ] ],
    either points at empty field or capture,
    put down,
    either promote or not stuck.

lift = assign (in_zone = row >= 7), pick up.

capture =
    either [ points at opponent's gold, assign (golds++) ]
    or [ points at [opponent's silver or opponent's narigin], assign (silvers++) ]
    or [ points at [opponent's knight or opponent's narikei], assign (knights++) ]
    or [ points at [opponent's lance or opponent's narikyo], assign (lances++) ]
    or [ points at [opponent's bishop or opponent's horse], assign (bishops++) ]
    or [ points at [opponent's rook or opponent's dragon], assign (rooks++) ]
    or [ points at [opponent's pawn or opponent's tokin], assign (pawns++) ].

promote =
    assert (in_zone || row >= 7),
    either [ points at own silver, replace by narigin ]
    or [ points at own knight, replace by narikei ]
    or [ points at own lance, replace by narikyo ]
    or [ points at own bishop, replace by horse ]
    or [ points at own rook, replace by dragon ]
    or [ points at own pawn, replace by tokin ].

# It could never move again.
stuck =
    either [ points at [pawn or lance], assert (row == 9) ]
    or [ points at own knight, assert (row >= 8) ].

# From the hand.

drop =
    find empty field,
    either [ assert (golds > 0), assign (golds--), replace by gold ]
    or [ assert (silvers > 0), assign (silvers--), replace by silver ]
    or [ assert (knights > 0), assign (knights--), replace by knight ]
    or [ assert (lances > 0), assign (lances--), replace by lance ]
    or [ assert (bishops > 0), assign (bishops--), replace by bishop ]
    or [ assert (rooks > 0), assign (rooks--), replace by rook ]
    or [ assert (pawns > 0), assign (pawns--), not second_pawn, replace by pawn, not mate ],
    not stuck.

held_by_others =
    either [ knight_leap, points at opponent's knight ]
    or [ lance_way, points at opponent's lance ].
