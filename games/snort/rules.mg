# Snort: the players colour fields, never next to a field of the opponent; who cannot colour any has lost.

parameter columns = 7 [1 .. 20]
parameter rows = 7 [1 .. 20]

dimensions (columns, rows)
sides = 1
no moves = loss

pieces { stone 'O' 'X' }

notation { coordinates }

evaluation {
    # Fields that only this player may colour, and those that both may.
    free 20 : count [ find empty field, safe, not as opponent safe ]
    open 8 : count [ find empty field, safe ]
    tempo 10 mover : 1
}

main = find empty field, safe, replace by stone, irreversible.

safe = not [ orthogonal, step, points at opponent's stone ].
