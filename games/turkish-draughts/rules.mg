# Turkish draughts (dama): men go forward and sideways along rows and columns; the longest capture is compulsory, and
# what is jumped over leaves the board at once.

dimensions (8, 8)
no moves = loss
repetition = draw 3

pieces {
    man  'w' 'b'
    king 'W' 'B'
}

properties {
    captured : move  : [0 .. 16]
    quiet    : board : [0 .. 50] unhashed  # moves since the last capture or man's move
}

setup {
    "........"
    "bbbbbbbb"
    "bbbbbbbb"
    "........"
    "........"
    "wwwwwwww"
    "wwwwwwww"
    "........"
}

notation { coordinates }

looks {
    man  "⛀" "⛂"
    king "⛁" "⛃"
}

evaluation {
    material { man 100  king 450 }
    table man =
        "0 0 0 0"
        "60 55 50 50"
        "34 32 30 30"
        "18 18 18 18"
        "8 8 8 8"
        "0 0 2 2"
        "0 0 0 0"
        "0 0 0 0"
    hanging -20 : count [
        find own piece,
        test [
            orthogonal,
            step,
            points at opponent's piece,
            turn 180,
            repeat 2 times step,
            points at empty field
        ]
    ]
    tempo 10 mover : 1
}

main = try capture else walk.

capture =
    greatest (captured) [
        either [ find own man, pick up, man_jump, while man_jump do nothing, put down, try crown ]
        or [
            find own king,
            pick up,
            orthogonal,
            king_jump,
            while [ optionally either turn 90 or turn -90, king_jump ] do nothing,
            put down
        ],
    ],
    progress.

man_jump = forward, over, onward.

# A king does not turn back between two jumps.
king_jump = repeat 0 .. infinity times onward, over, fly.

forward = either north or east or west.

over = step, points at opponent's piece, replace by empty field, assign (captured++).

onward = step, points at empty field.

fly = repeat 1 .. infinity times onward.

walk =
    either [ find own man, pick up, forward, onward, put down, try crown, progress ]
    or [ find own king, pick up, orthogonal, fly, put down, no_progress ].

crown = assert (row == 8), replace by king.

progress = irreversible, assign (quiet = 0).

no_progress = assign (quiet++), try [ assert (quiet == 50), draw ].  # twenty-five moves each
