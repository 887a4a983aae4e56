# Dots and boxes: who draws the fourth line around a box owns it and must draw another line; most boxes win.

parameter columns = 3 [1 .. 12]
parameter rows = 3 [1 .. 12]

dimensions (2 * columns + 1, 2 * rows + 1)
sides = 1
no moves = error

pieces {
    box  'W' 'B'
    line '='
    dot  '+'
}

setup { apply dots }

notation { coordinates }

evaluation {
    material { box 100 }
    # Boxes that the player to move can close at once.
    ready 80 mover : count [ open_box, side, not another_side ]
    # The parity of dots and long chains says who gets the last of them.
    chains 40 : (count [ white to move ] + count [ chain_end ] / 2 + (columns + 1) * (rows + 1)) % 2
    tempo 20 mover : 1
}

dots = for each any field do [ assert (column % 2 == 1 && row % 2 == 1), replace by dot ].

main =
    find empty field,
    assert ((column + row) % 2 == 1),
    replace by line,
    irreversible,
    for each direction do close_box,
    try [ not find empty field, score (count [ find own box ] - count [ find opponent's box ]) ].

close_box =
    step,
    points at empty field,
    assert (column % 2 == 0 && row % 2 == 0),
    not [ orthogonal, step, points at empty field ],
    replace by box,
    keep turn.

# For the evaluation.

open_box = find empty field, assert (column % 2 == 0 && row % 2 == 0).

side = orthogonal, test open.

another_side = either turn 90 or turn 180 or turn -90, open.

open = step, points at empty field.

# One with two open sides.
chain_box =
    test [ side, another_side ],
    not [ side, turn 90, test open, turn 90, open ].

# A chain of at least three boxes ends here.
chain_end =
    open_box,
    chain_box,
    not [ orthogonal, test link, either turn 90 or turn 180, link ],
    test [ orthogonal, link, either nothing or turn 90 or turn -90, link ].

link = repeat 2 times open, chain_box.
