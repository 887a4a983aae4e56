# Minishogi: shogi on five by five fields; what is captured changes sides and may be dropped on an empty field.

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

main =
    either walk or drop,
    not check,
    count_check,
    assign (moves++),
    try [ assert (moves == 500), draw ].

count_check = try [ as opponent check, assign (checks++) ] else assign (checks = 0).

# Who gave check with every move since the position first occurred has lost; otherwise White, who began.
repeated =
    try [ assert (2 * opponent's checks >= cycle), win ]
    else try [ assert (2 * checks >= cycle), lose ]
    else either [ white to move, lose ] or [ black to move, win ].

# How the pieces go. Both sides look up the board, so a piece attacks a king from where the king could go like it.

gold_step = either orthogonal or northwest or northeast, step.

silver_step = either diagonal or north, step.

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
    or [ gold_step, points at [opponent's gold or opponent's promoted or opponent's tokin] ]
    or [ silver_step, points at opponent's silver ]
    or [ bishop_way, points at [opponent's bishop or opponent's horse] ]
    or [ rook_way, points at [opponent's rook or opponent's dragon] ]
    or [ north, step, points at opponent's pawn ].

# On the board.

walk =
    either [ find own king, pick up, any direction, step ]
    or [ find [gold or promoted or tokin], pick up, gold_step ]
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

second_pawn = either north or south, repeat 1 .. infinity times step, points at own pawn.

# A pawn must not be dropped to mate. Nothing can come between it and the king, so only moves on the board escape.
mate = north, step, points at opponent's king, not as opponent [ walk, not check ].
