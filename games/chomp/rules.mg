# Chomp: break a piece off the bar of chocolate, with everything above and to the right; the lower left one is poisoned.

parameter columns = 7 [1 .. 20]
parameter rows = 4 [1 .. 20]

dimensions (columns, rows)
sides = 1
no moves = loss  # only the poisoned piece is left

pieces { piece_of_bar '#' }

properties {
    left, bottom : move : [0 .. 20]
}

setup { apply unwrap }

unwrap = for each any field do replace by piece_of_bar.

main =
    find piece_of_bar,
    assert (row > 1 || column > 1),
    called field,
    assign (left = column, bottom = row),
    for each piece_of_bar do [ assert (column >= left && row >= bottom), replace by empty field ],
    irreversible.
