# Snailtrail: snails step to a neighbouring field and leave slime behind that nobody crosses; who cannot step has lost.

dimensions (7, 7)
no moves = loss

pieces {
    snail 'P' 'p'
    slime '*'
}

setup {
    "......p"
    "......."
    "......."
    "......."
    "......."
    "......."
    "P......"
}

notation { coordinates }

looks {
    snail "♙" "♟"
    slime "▦"
}

main =
    find own snail,
    replace by slime,
    any direction,
    step,
    points at empty field,
    replace by snail,
    irreversible.
