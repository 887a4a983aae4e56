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
