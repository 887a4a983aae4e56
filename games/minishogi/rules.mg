# Minishogi: shogi on five by five fields; what is captured changes sides and may be dropped on an empty field.

dimensions (5, 5)
no moves = loss
repetition = draw 4

pieces {
    king   'K' 'k'
    gold   'G' 'g'
    silver 'S' 's'
    bishop 'B' 'b'
    rook   'R' 'r'
    pawn   'P' 'p'
    # promoted
    narigin 'N' 'n'
    horse   'H' 'h'
    dragon  'D' 'd'
    tokin   'T' 't'
}

properties {
    golds, silvers, bishops, rooks, pawns : player : [0 .. 2]      # in hand
    from_zone : move  : [0 .. 1]                                   # the move began on the last row
    moves     : board : [0 .. 500] unhashed
}

setup {
    "rbsgk"
    "....p"
    "....."
    "P...."
    "KGSBR"
}

notation { uci }

looks {
    king "玉" "王"  gold "金"  silver "銀"  bishop "角"  rook "飛"  pawn "歩"
    narigin "全"  horse "馬"  dragon "龍"  tokin "と"
    fields "plain"
}

main =
    either walk or drop,
    not check,
    assign (moves++),
    try [ assert (moves == 500), draw ].

# How the pieces go; seen from a king, also where they attack him from, because both sides see the board from below.

gold_step = either orthogonal or northwest or northeast, step.
silver_step = either diagonal or north, step.
bishop_way = diagonal, glide.
rook_way = orthogonal, glide.
glide = repeat 0 .. infinity times [ step, points at empty field ], step.

walk =
    either [ find own king, pick up, any direction, step ] or
           [ find own gold, pick up, gold_step ] or
           [ find own silver, lift, silver_step ] or
           [ find own bishop, lift, bishop_way ] or
           [ find own rook, lift, rook_way ] or
           [ find own pawn, lift, north, step ] or
           [ find [tokin or narigin], pick up, gold_step ] or
           [ find own horse, pick up, either bishop_way or [ orthogonal, step ] ] or
           [ find own dragon, pick up, either rook_way or [ diagonal, step ] ],
    either points at empty field or capture,
    put down,
    either promote or not stuck.

lift = assign (from_zone = last_row), pick up.
