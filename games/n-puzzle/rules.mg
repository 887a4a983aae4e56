# The n-puzzle: slide numbered tiles into order on a board of any size, the empty field at the top left.

parameter columns = 3 [2 .. 26]
parameter rows = 3 [2 .. 26]

players = 1
dimensions (columns, rows)
no moves = error

pieces { tile 'o' }

properties {
    number  : field : [0 .. columns * rows - 1]  # of the tile on the field
    carried : move  : [0 .. columns * rows - 1]
}

setup { apply shuffle }

notation { shift }

main = find empty field, orthogonal, slide.

# The tile ahead fills the empty field, and the finger follows.
slide =
    step,
    pick up,
    assign (carried = number, number = 0),
    step backward,
    put down,
    assign (number = carried),
    step.

goal = not [ find any field, assert (number != (rows - row) * columns + column - 1) ].

# In order, then twice in zigzag down the board and straight back up.
shuffle =
    for each any field do [
        assign (number = (rows - row) * columns + column - 1),
        assert (number),
        replace by tile
    ],
    find empty field,
    repeat 2 times [
        repeat rows - 1 times [
            try [ assert (column == 1), east ] else west,
            while slide do nothing,
            south,
            slide
        ],
        north,
        while slide do nothing
    ].
