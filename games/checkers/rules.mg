# English draughts (checkers): jumps are compulsory and go on while they can; men move and jump forward only.
# Black, at the top, begins.

dimensions (8, 8)
no moves = loss
repetition = draw 3

pieces {
    man  'w' 'b'
    king 'W' 'B'
}

properties {
    quiet : board : [0 .. 80] unhashed  # moves since the last jump or man's move
}

setup {
    ".b.b.b.b"
    "b.b.b.b."
    ".b.b.b.b"
    "........"
    "........"
    "w.w.w.w."
    ".w.w.w.w"
    "w.w.w.w."
    black to move
}

notation { pdn }

looks {
    man    "⛀" "⛂"
    king   "⛁" "⛃"
    fields "chequered"
}

evaluation {
    phase = count [ find any piece ] [4 .. 24]

    material { man 100 .. 110  king 140 .. 170 }
    table man =
        "0 0 0 0 0 0 0 0"
        "20 20 22 22 22 22 20 20"
        "8 12 14 14 14 14 12 8"
        "4 8 12 12 12 12 8 4"
        "0 5 9 10 10 9 5 0"
        "0 3 5 7 7 5 3 0"
        "2 2 2 2 2 2 2 2"
        "10 10 16 8 12 8 16 8"
        ..
        "0 0 0 0 0 0 0 0"
        "50 50 50 50 50 50 50 50"
        "34 36 36 36 36 36 36 34"
        "24 24 24 24 24 24 24 24"
        "16 16 16 16 16 16 16 16"
        "9 9 9 9 9 9 9 9"
        "4 4 4 4 4 4 4 4"
        "0 0 0 0 0 0 0 0"
    table king =
        "-14 -8 -6 -6"
        "-8 2 4 4"
        "-6 4 12 12"
        "-6 4 12 16"
        "-6 4 12 16"
        "-6 4 12 12"
        "-8 2 4 4"
        "-14 -8 -6 -6"
    mobility 3 .. 4 : count [
        find own man,
        either northwest or northeast,
        step,
        points at empty field
    ]
    king_mobility 4 .. 5 : count [ find own king, diagonal, step, points at empty field ]
    held 4 .. 2 : count [
        find own man,
        test [ either southwest or southeast, step, points at own piece ]
    ]
    open_behind -7 .. -5 : count [
        find own man,
        test [
            either northwest or northeast,
            step,
            points at opponent's piece,
            turn 180,
            repeat 2 times step,
            points at empty field
        ]
    ]
    runaway 10 .. 30 : count [
        find own man,
        assert (row >= 5),
        not [
            either northwest or north or northeast,
            repeat 1 .. 2 times step,
            points at opponent's piece
        ]
    ]
    tempo 3 .. 6 mover : 1
}

main = try jumps else walk.

jumps =
    either [ find own man, pick up, man_jump, while man_jump do nothing, put down, try crown ]
    or [ find own king, pick up, king_jump, while king_jump do nothing, put down ],
    progress.

man_jump = either northwest or northeast, jump.

king_jump = diagonal, jump.

jump = step, points at opponent's piece, replace by empty field, step, points at empty field.

walk =
    either [ find own man, pick up, either northwest or northeast, land, try crown, progress ]
    or [ find own king, pick up, diagonal, land, no_progress ].

land = step, points at empty field, put down.

crown = assert (row == 8), replace by king.

progress = irreversible, assign (quiet = 0).

no_progress = assign (quiet++), try [ assert (quiet == 80), draw ].  # forty moves each
