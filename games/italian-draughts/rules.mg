# Italian draughts (dama): men cannot take kings, and of several captures the greatest and noblest is compulsory.

dimensions (8, 8)
no moves = loss
repetition = draw 3

pieces {
    man  'w' 'b'
    king 'W' 'B'
}

properties {
    captured   : move  : [0 .. 12]
    with_king  : move  : [0 .. 1]
    kings      : move  : [0 .. 12]           # among the captured
    first_king : move  : [0 .. 12]           # the greater, the earlier the first of them
    quiet      : board : [0 .. 80] unhashed  # moves since the last capture or man's move
}

setup {
    "b.b.b.b."
    ".b.b.b.b"
    "b.b.b.b."
    "........"
    "........"
    ".w.w.w.w"
    "w.w.w.w."
    ".w.w.w.w"
}

notation { pdn }

looks {
    man    "⛀" "⛂"
    king   "⛁" "⛃"
    fields "chequered"
}

main = try capture else walk.

# As many as possible; with a king; as many kings as possible; a king as early as possible.
capture =
    greatest (first_king) greatest (kings) greatest (with_king) greatest (captured) [
        either [ find own man, pick up, man_jump, while man_jump do nothing, put down, try crown ]
        or [
            find own king,
            pick up,
            assign (with_king = 1),
            king_jump,
            while king_jump do nothing,
            put down
        ],
    ],
    progress.

man_jump = either northwest or northeast, step, points at opponent's man, take.

king_jump =
    diagonal,
    step,
    either points at opponent's man
    or [
        points at opponent's king,
        assign (kings++, first_king = first_king ? first_king : 12 - captured)
    ],
    take.

take = replace by empty field, assign (captured++), step, points at empty field.

walk =
    either [ find own man, pick up, either northwest or northeast, land, try crown, progress ]
    or [ find own king, pick up, diagonal, land, no_progress ].

land = step, points at empty field, put down.

crown = assert (row == 8), replace by king.

progress = irreversible, assign (quiet = 0).

no_progress = assign (quiet++), try [ assert (quiet == 80), draw ].  # forty moves each
