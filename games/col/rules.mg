# Col: the players colour fields, never next to an own field; who cannot colour any has lost.

based on snort

evaluation {
    free 20 : count [ find empty field, safe, not as opponent safe ]
    open 8 : count [ find empty field, safe ]
    tempo 10 mover : 1
}

safe = not [ orthogonal, step, points at own stone ].
