# Konane, the checkers of Hawaii: from a full board stones jump over stones and remove them; who cannot jump has lost.
# Black begins.

parameter size = 8 [4 .. 18]

dimensions (size, size)
sides = 1
no moves = loss

pieces { stone 'O' 'X' }

setup {
    black to move
    apply fill
}

notation { coordinates }

looks {
    stone "○" "●"
}

evaluation {
    mobility 12 : count [
        find own stone,
        orthogonal,
        step,
        points at opponent's stone,
        step,
        points at empty field
    ]
    movable 20 : count [
        find own stone,
        test [ orthogonal, step, points at opponent's stone, step, points at empty field ]
    ]
    tempo 10 mover : 1
}

# Black has the lower left corner.
fill =
    for each any field do replace by own stone,
    for each any field do [ assert ((row + column) % 2 == 0), replace by opponent's stone ].

main = either first or second or jump, irreversible.

# One of Black's stones in the middle or in a corner is removed, then a white stone beside it.
first =
    not find empty field,
    find own stone,
    either assert ((column == 1 || column == size) && (row == 1 || row == size))
    or assert (2 * column >= size && 2 * column <= size + 2 && 2 * row >= size &&
        2 * row <= size + 2),
    replace by empty field.

second =
    assert (count [ find empty field ] == 1),
    find own stone,
    test [ orthogonal, step, points at empty field ],
    replace by empty field.

jump =
    assert (count [ find empty field ] > 1),
    find own stone,
    pick up,
    orthogonal,
    repeat 1 .. infinity times [
        step,
        points at opponent's stone,
        replace by empty field,
        step,
        points at empty field
    ],
    put down.
