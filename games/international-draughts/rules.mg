# International draughts: flying kings, men jump backward too, the longest capture is compulsory, and what is
# taken leaves the board only when the move is over.

dimensions (10, 10)
no moves = loss
repetition = draw 3

pieces {
    man   'w' 'b'
    king  'W' 'B'
    taken '*'  # jumped, still on the board
}

properties {
    captured : move  : [0 .. 20]
    quiet    : board : [0 .. 50] unhashed  # moves since the last capture or man's move
    endgame  : board : [0 .. 33] unhashed  # moves since one king stands against at most three pieces
}

setup {
    ".b.b.b.b.b"
    "b.b.b.b.b."
    ".b.b.b.b.b"
    "b.b.b.b.b."
    ".........."
    ".........."
    ".w.w.w.w.w"
    "w.w.w.w.w."
    ".w.w.w.w.w"
    "w.w.w.w.w."
}

notation { pdn }

looks {
    man    "⛀" "⛂"
    king   "⛁" "⛃"
    fields "chequered"
}

main = try capture else walk, try few_pieces.

capture =
    greatest (captured) [
        either [ find own man, pick up, man_jump, while man_jump do nothing, put down, try crown ]
        or [ find own king, pick up, king_jump, while king_jump do nothing, put down ],
    ],
    for each taken do replace by empty field,
    assign (endgame = 0),
    progress.

man_jump = diagonal, over, step, points at empty field.

king_jump =
    diagonal,
    repeat 0 .. infinity times [ step, points at empty field ],
    over,
    repeat 1 .. infinity times [ step, points at empty field ].

over = step, points at opponent's piece, replace by taken, assign (captured++).

walk =
    either [
        find own man,
        pick up,
        either northwest or northeast,
        step,
        points at empty field,
        put down,
        try crown,
        progress
    ]
    or [
        find own king,
        pick up,
        diagonal,
        repeat 1 .. infinity times [ step, points at empty field ],
        put down,
        no_progress
    ].

crown = assert (row == 10), replace by king.

progress = irreversible, assign (quiet = 0).

no_progress = assign (quiet++), try [ assert (quiet == 50), draw ].  # twenty-five moves each

# A single king against three pieces has sixteen moves to survive, against fewer five; one king must be among them.
few_pieces =
    test either lone_king or as opponent lone_king,
    assign (endgame++),
    try [ assert (endgame > (count [ find any piece ] == 4 ? 32 : 10)), draw ].

lone_king =
    assert (count [ find own piece ] == 1 && count [ find own king ] == 1 &&
        count [ find opponent's piece ] <= 3 && count [ find opponent's king ] >= 1).
