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
