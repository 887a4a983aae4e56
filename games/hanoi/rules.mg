# Towers of Hanoi: bring the tower from the first peg to the last, never a disc on a smaller one.

parameter discs = 4 [1 .. 12]

players = 1
dimensions (3, discs)
no moves = error

pieces { disc 'o' }

properties {
    size    : field : [0 .. 12]  # of the disc on the field
    carried : move  : [0 .. 12]
    origin  : move  : [0 .. 3]
}

setup { apply tower }

notation { column }

tower = for each any field do [
    assert (column == 1),
    replace by disc,
    assign (size = discs + 1 - row),
].

main = take, find empty field, lies_on_top, drop.

take =
    find own disc,
    not [ north, step, points at own disc ],
    assign (carried = size, origin = column, size = 0),
    replace by empty field.

# The lowest empty field of another peg, and no smaller disc under it.
lies_on_top =
    assert (column != origin),
    not [ south, step, either points at empty field or assert (size < carried) ].

drop = replace by disc, assign (size = carried).

goal = not [ find own disc, assert (column != 3) ].
