# Shogi, the chess of Japan: what is captured changes sides and may be dropped on an empty field.

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

main =
    either walk or drop,
    not check,
    count_check,
    assign (moves++),
    try [ assert (moves == 500), draw ].

count_check = try [ as opponent check, assign (checks++) ] else assign (checks = 0).

# Who gave check with every move since the position first occurred has lost; otherwise nobody.
repeated =
    either [ assert (2 * opponent's checks >= cycle), win ]
    or [ assert (2 * checks >= cycle), lose ].

# How the pieces go. Both sides look up the board, so a piece attacks a king from where the king could go like it.

gold_step = either orthogonal or northwest or northeast, step.

silver_step = either diagonal or north, step.

knight_leap = north, step, either northwest or northeast, step.

lance_way = north, glide.

bishop_way = diagonal, glide.

rook_way = orthogonal, glide.

glide = repeat 0 .. infinity times [ step, points at empty field ], step.

check =
    find own king,
    test either [
        any direction,
        step,
        points at [opponent's king or opponent's horse or opponent's dragon]
    ]
    or [
        gold_step,
        points at [opponent's gold or opponent's narigin or opponent's narikei or opponent's narikyo or opponent's tokin]
    ]
    or [ silver_step, points at opponent's silver ]
    or [ knight_leap, points at opponent's knight ]
    or [ lance_way, points at opponent's lance ]
    or [ bishop_way, points at [opponent's bishop or opponent's horse] ]
    or [ rook_way, points at [opponent's rook or opponent's dragon] ]
    or [ north, step, points at opponent's pawn ].

# On the board.

walk =
    either [ find own king, pick up, any direction, step ]
    or [
        find [gold or narigin or narikei or narikyo or tokin],
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

second_pawn = either north or south, repeat 1 .. infinity times step, points at own pawn.

# A pawn must not be dropped to mate. Nothing can come between it and the king, so only moves on the board escape.
mate = north, step, points at opponent's king, not as opponent [ walk, not check ].
