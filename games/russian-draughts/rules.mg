# Russian draughts (shashki): flying kings, men jump backward too, and a man that reaches the last row jumps on as a king.

dimensions (8, 8)
no moves = loss
repetition = draw 3

pieces {
    man   'w' 'b'
    king  'W' 'B'
    taken '*'  # jumped, still on the board
}

properties {
    quiet : board : [0 .. 30] unhashed  # moves since the last capture or man's move
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
}

notation { coordinates }

looks {
    man    "⛀" "⛂"
    king   "⛁" "⛃"
    fields "chequered"
}

main = try capture else walk.

capture =
    find own piece,
    called field,
    jump,
    while jump do nothing,
    for each taken do replace by empty field,
    progress.

jump =
    either [ points at own man, pick up, diagonal, over, onward ]
    or [ points at own king, pick up, diagonal, up_to_a_piece, over, land ],
    put down,
    called ":" field,
    try crown.

onward = step, points at empty field.

up_to_a_piece = repeat 0 .. infinity times onward.

over = step, points at opponent's piece, replace by taken.

# Where a king can go on, it must; else it may stop anywhere behind its victim.
land = try [ fly, can_go_on ] else fly.

fly = repeat 1 .. infinity times onward.

can_go_on = test [ diagonal, up_to_a_piece, over, onward ].

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

crown = assert (row == 8), replace by king.

progress = irreversible, assign (quiet = 0).

no_progress = assign (quiet++), try [ assert (quiet == 30), draw ].  # fifteen moves each
