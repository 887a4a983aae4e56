# Clobber: a stone moves onto a neighbouring stone of the opponent and removes it; who cannot move has lost.

parameter columns = 6 [1 .. 20]
parameter rows = 5 [1 .. 20]

dimensions (columns, rows)
sides = 1
no moves = loss

pieces { stone 'O' 'X' }

setup { apply chequer }

notation { coordinates }

looks {
    stone  "○" "●"
    fields "chequered"
}

evaluation {
    mobility 10 : count [ find own stone, orthogonal, step, points at opponent's stone ]
    movable 20 : count [ find own stone, test [ orthogonal, step, points at opponent's stone ] ]
    lonely -5 : count [ find own stone, not [ orthogonal, step, points at any piece ] ]
    tempo 10 mover : 1
}

# White has the upper left corner.
chequer =
    for each any field do replace by opponent's stone,
    for each any field do [ assert ((row + column) % 2 != rows % 2), replace by own stone ].

main =
    find own stone,
    pick up,
    orthogonal,
    step,
    points at opponent's stone,
    put down,
    irreversible.
