# Minishogi: shogi on five by five fields; what is captured changes sides and may be dropped on an empty field.

uses shogi

dimensions (5, 5)
no moves = loss
repetition = judge 4 (cycle)

pieces {
    king     'K' 'k'
    gold     'G' 'g'
    silver   'S' 's'
    bishop   'B' 'b'
    rook     'R' 'r'
    pawn     'P' 'p'
    promoted 'N' 'n'  # silver, goes like a gold
    horse    'H' 'h'  # promoted bishop
    dragon   'D' 'd'  # promoted rook
    tokin    'T' 't'  # promoted pawn, goes like a gold
}

pattern golden = [gold or promoted or tokin]

properties {
    golds, silvers, bishops, rooks, pawns : player : [0 .. 2]  # in hand
    in_zone                               : move   : [0 .. 1]  # the move began on the last row
    moves                                 : board  : [0 .. 500] unhashed
    checks                                : player : [0 .. 500] unhashed  # given with the last moves
    cycle                                 : move   : [0 .. 500]
}

setup {
    "rbsgk"
    "....p"
    "....."
    "P...."
    "KGSBR"
}

notation { usi }

looks {
    king "玉" "王"  gold "金"   silver "銀"  bishop "角"  rook "飛"  pawn "歩"
    promoted "全"  horse "馬"  dragon "龍"  tokin "と"
}

evaluation {
    calm = count [ check ] == 0

    material {
        pawn 80    silver 260    gold 310   bishop 340  rook 420
        tokin 200  promoted 290  horse 520  dragon 620
    }
    pawns_in_hand 100 : pawns
    silvers_in_hand 300 : silvers
    golds_in_hand 350 : golds
    bishops_in_hand 400 : bishops
    rooks_in_hand 480 : rooks

    table king =
        "-40 -40 -40"
        "-30 -40 -40"
        "-10 -20 -30"
        " 10   0 -10"
        " 30  15   5"
    table gold =
        "-20 -10   0"
        "-10   5  10"
        " -5  10  15"
        "  0  10  10"
        "-10   0   5"
    table silver =
        "-15 -10 -10"
        "  0  10  15"
        "  0  15  20"
        "  0  10  10"
        "-15  -5  -5"
    table pawn =
        " 0  0  0"
        "30 30 30"
        "15 15 15"
        " 0  0  0"
        " 0  0  0"

    bishop_moves 5 : count [ find [own bishop or own horse], bishop_way, not points at own piece ]
    rook_moves 5 : count [ find [own rook or own dragon], rook_way, not points at own piece ]
    king_attack 14 : count [
        find opponent's king,
        any direction,
        step,
        as opponent attacked,
        north
    ]
    ring_unheld 20 : count [
        find opponent's king,
        any direction,
        step,
        not points at own piece,
        as opponent attacked,
        not held,
        north
    ]
    guards 14 : count [
        find own king,
        any direction,
        step,
        points at [own golden or own silver]
    ]
    escapes 10 : count [
        find own king,
        any direction,
        step,
        not points at own piece,
        not attacked
    ]
    near 10 : count [
        find own piece,
        not points at own king,
        test [ any direction, repeat 1 .. 2 times step, points at opponent's king ]
    ]
    drop_checks 8 : (golds + silvers + rooks > 0) * count [
        find opponent's king,
        orthogonal,
        step,
        points at empty field,
        not attacked
    ]
    far_checks 8 : (bishops > 0) * count [
        find opponent's king,
        diagonal,
        glide,
        points at empty field,
        not attacked
    ]
    hand_attack 6 : (golds + silvers + bishops + rooks) * count [
        find opponent's king,
        any direction,
        step,
        points at empty field,
        as opponent attacked,
        north
    ]
    open_king -4 : (opponent's golds + opponent's silvers + opponent's bishops + opponent's rooks) * count [
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
    big_threat 25 : count [
        find [opponent's rook or opponent's bishop or opponent's horse or opponent's dragon],
        as opponent attacked,
        north
    ]
    tempo 25 mover : 1
}

main =
    either walk or drop,
    not check,
    count_check,
    assign (moves++),
    try [ assert (moves == 500), draw ].

# A player who gave check with every move since the position first occurred has lost; otherwise White, who began.
repeated =
    try [ assert (2 * opponent's checks >= cycle), win ]
    else try [ assert (2 * checks >= cycle), lose ]
    else either [ white to move, lose ] or [ black to move, win ].

# On the board.

walk =
    either [ find own king, pick up, any direction, step ]
    or [ find golden, pick up, gold_step ]
    or [ find own silver, lift, silver_step ]
    or [ find own bishop, lift, bishop_way ]
    or [ find own rook, lift, rook_way ]
    or [ find own pawn, lift, north, step ]
    or [ find own horse, pick up, either bishop_way or [ orthogonal, step ] ]
    or [ find own dragon, pick up, either rook_way or [ diagonal, step ] ],
    either points at empty field or capture,
    put down,
    either promote or not stuck.

lift = assign (in_zone = row == 5), pick up.

capture =
    either [ points at opponent's gold, assign (golds++) ]
    or [ points at [opponent's silver or opponent's promoted], assign (silvers++) ]
    or [ points at [opponent's bishop or opponent's horse], assign (bishops++) ]
    or [ points at [opponent's rook or opponent's dragon], assign (rooks++) ]
    or [ points at [opponent's pawn or opponent's tokin], assign (pawns++) ].

promote =
    assert (in_zone || row == 5),
    either [ points at own silver, replace by promoted ]
    or [ points at own bishop, replace by horse ]
    or [ points at own rook, replace by dragon ]
    or [ points at own pawn, replace by tokin ].

stuck = points at own pawn, assert (row == 5).

# From the hand.

drop =
    find empty field,
    either [ assert (golds > 0), assign (golds--), replace by gold ]
    or [ assert (silvers > 0), assign (silvers--), replace by silver ]
    or [ assert (bishops > 0), assign (bishops--), replace by bishop ]
    or [ assert (rooks > 0), assign (rooks--), replace by rook ]
    or [
        assert (pawns > 0),
        assign (pawns--),
        not second_pawn,
        replace by pawn,
        not stuck,
        not mate
    ].
