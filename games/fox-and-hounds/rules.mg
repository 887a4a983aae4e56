# Fox and hounds: the fox tries to slip past four hounds that only go forward; it has lost when it cannot move.
# White is the fox.

dimensions (8, 8)
sides = 1
no moves = loss

pieces {
    fox   'F' 'f'  # only White has one
    hound 'H' 'h'  # only Black has them
}

setup {
    ".h.h.h.h"
    "........"
    "........"
    "........"
    "........"
    "........"
    "........"
    "....F..."
}

notation { coordinates }

looks {
    fox    "◆"
    hound  "●"
    fields "chequered"
}

evaluation {
    ahead 30 : sum (row) [ find own fox ]
    mobility 10 : count [ white to move, find own fox, diagonal, step, points at empty field ]
    passed 200 : count [
        find own fox,
        repeat 1 .. infinity times [ either northwest or northeast, step, points at empty field ],
        assert (row == 8),
        north
    ] > 0
    together -10 : sum (8 - row) [ find own hound ]
    tempo 5 mover : 1
}

main =
    either [
        white to move,
        find own fox,
        pick up,
        diagonal,
        step,
        points at empty field,
        put down,
        try [ assert (row == 8), win ]
    ]
    or [
        black to move,
        find own hound,
        pick up,
        either southwest or southeast,
        step,
        points at empty field,
        put down,
        irreversible
    ].
