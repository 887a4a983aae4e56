# Pool checkers: flying kings and men that jump backward too, but any capture may be chosen. Black, at the top, begins.

based on "russian-draughts"

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

# A man is crowned where its capture ends, and jumps on as a man until then.
capture =
    either [ find own man, called field, man_jump, while man_jump do nothing, try crown ]
    or [ find own king, called field, king_jump, while king_jump do nothing ],
    for each taken do replace by empty field,
    progress.

man_jump = pick up, diagonal, over, onward, put down, called ":" field.

king_jump = pick up, diagonal, up_to_a_piece, over, land, put down, called ":" field.
