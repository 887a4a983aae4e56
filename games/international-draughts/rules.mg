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

evaluation {
    phase = count [ find any piece ] [4 .. 40]

    material { man 100 .. 110  king 280 .. 320 }
    table man =
        "0 0 0 0 0"
        "26 28 28 28 28"
        "12 16 18 18 18"
        "8 12 16 18 18"
        "2 8 12 14 16"
        "0 5 9 12 12"
        "0 3 6 8 8"
        "0 2 3 4 4"
        "2 2 2 2 2"
        "4 5 4 5 4"
        ..
        "0 0 0 0 0"
        "60 60 60 60 60"
        "40 42 42 42 42"
        "30 30 30 30 30"
        "22 22 22 22 22"
        "15 15 15 15 15"
        "10 10 10 10 10"
        "6 6 6 6 6"
        "3 3 3 3 3"
        "0 0 0 0 0"
    mobility 3 .. 3 : count [
        find own man,
        either northwest or northeast,
        step,
        points at empty field
    ]
    king_lines 2 .. 4 : count [
        find own king,
        diagonal,
        repeat 1 .. infinity times [ step, points at empty field ]
    ]
    held 5 .. 2 : count [
        find own man,
        test [ either southwest or southeast, step, points at own piece ]
    ]
    hole -6 .. -4 : count [
        find own man,
        test [
            diagonal,
            step,
            points at opponent's piece,
            turn 180,
            repeat 2 times step,
            points at empty field
        ]
    ]
    tempo 4 mover : 1
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

man_jump = diagonal, over, onward.

king_jump = diagonal, repeat 0 .. infinity times onward, over, fly.

over = step, points at opponent's piece, replace by taken, assign (captured++).

onward = step, points at empty field.

fly = repeat 1 .. infinity times onward.

walk =
    either [
        find own man,
        pick up,
        either northwest or northeast,
        onward,
        put down,
        try crown,
        progress
    ]
    or [ find own king, pick up, diagonal, fly, put down, no_progress ].

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
