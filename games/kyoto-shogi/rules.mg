# Kyoto shogi: shogi on five by five fields in which every piece turns into its other side whenever it has moved.

uses shogi

dimensions (5, 5)
no moves = loss
repetition = draw 4

pieces {
    king   'K' 'k'
    pawn   'P' 'p'  # and rook
    rook   'R' 'r'
    silver 'S' 's'  # and bishop
    bishop 'B' 'b'
    lance  'L' 'l'  # and tokin
    tokin  'T' 't'
    knight 'N' 'n'  # and gold
    gold   'G' 'g'
}

properties {
    pawns, silvers, lances, knights : player : [0 .. 2]  # in hand, with either side up
    moves                           : board  : [0 .. 300] unhashed
}

setup {
    "pgkst"
    "....."
    "....."
    "....."
    "TSKGP"
}

notation { usi }

looks {
    king "玉" "王"  pawn "歩"   rook "飛"    silver "銀"  bishop "角"
    lance "香"     tokin "と"  knight "桂"  gold "金"
}

main =
    either walk or drop,
    not check,
    assign (moves++),
    try [ assert (moves == 300), draw ].

walk =
    either [ find own king, pick up, any direction, step, target, put down ]
    or [ find own pawn, pick up, north, step, target, put down, replace by rook ]
    or [ find own rook, pick up, rook_way, target, put down, replace by pawn ]
    or [ find own silver, pick up, silver_step, target, put down, replace by bishop ]
    or [ find own bishop, pick up, bishop_way, target, put down, replace by silver ]
    or [ find own lance, pick up, lance_way, target, put down, replace by tokin ]
    or [ find own tokin, pick up, gold_step, target, put down, replace by lance ]
    or [ find own knight, pick up, knight_leap, target, put down, replace by gold ]
    or [ find own gold, pick up, gold_step, target, put down, replace by knight ].

target = either points at empty field or capture.

capture =
    either [ points at [opponent's pawn or opponent's rook], assign (pawns++) ]
    or [ points at [opponent's silver or opponent's bishop], assign (silvers++) ]
    or [ points at [opponent's lance or opponent's tokin], assign (lances++) ]
    or [ points at [opponent's knight or opponent's gold], assign (knights++) ].

drop =
    find empty field,
    either [ assert (pawns > 0), assign (pawns--), replace by [pawn or rook] ]
    or [ assert (silvers > 0), assign (silvers--), replace by [silver or bishop] ]
    or [ assert (lances > 0), assign (lances--), replace by [lance or tokin] ]
    or [ assert (knights > 0), assign (knights--), replace by [knight or gold] ].

check =
    find own king,
    test either [ any direction, step, points at opponent's king ]
    or [ north, step, points at opponent's pawn ]
    or [ rook_way, points at opponent's rook ]
    or [ silver_step, points at opponent's silver ]
    or [ bishop_way, points at opponent's bishop ]
    or [ lance_way, points at opponent's lance ]
    or [ gold_step, points at [opponent's tokin or opponent's gold] ]
    or [ knight_leap, points at opponent's knight ].
