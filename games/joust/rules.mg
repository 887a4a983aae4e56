# Joust: two knights leap over a chessboard that loses every field they leave; who cannot leap has lost.

dimensions (8, 8)
no moves = loss

pieces {
    knight 'N' 'n'
    gap    '*'
}

setup {
    "........"
    "........"
    "........"
    "....n..."
    "...N...."
    "........"
    "........"
    "........"
}

notation { coordinates }

looks {
    knight "♘" "♞"
    gap    "▦"
    fields "chequered"
}

main =
    find own knight,
    replace by gap,
    orthogonal,
    step,
    either turn 45 or turn -45,
    step,
    points at empty field,
    replace by knight,
    irreversible.
