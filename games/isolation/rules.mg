# Isolation: step to a neighbouring field, then destroy an empty field; who cannot step has lost.

dimensions (6, 8)
no moves = loss

pieces {
    pawn 'P' 'p'
    gap  '*'
}

setup {
    "...p.."
    "......"
    "......"
    "......"
    "......"
    "......"
    "......"
    "..P..."
}

notation { coordinates }

looks {
    pawn "♙" "♟"
    gap  "▦"
}

evaluation {
    mobility 12 : count [ find own pawn, any direction, step, points at empty field ]
    room 3 : count [
        find own pawn,
        repeat 2 times [ any direction, step, points at empty field ],
        north
    ]
    tempo 10 mover : 1
}

main =
    find own pawn,
    pick up,
    any direction,
    step,
    points at empty field,
    put down,
    find empty field,
    not start,
    replace by gap,
    irreversible.

# The two fields where the pawns began stay.
start = either assert (column == 3 && row == 1) or assert (column == 4 && row == 8).
