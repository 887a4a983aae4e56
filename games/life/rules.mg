# Life: cells with two or three neighbours survive, three neighbours give birth; nobody plays.

parameter columns = 20 [3 .. 40]
parameter rows = 12 [3 .. 25]

players = 1
dimensions (columns, rows)
no moves = error

pieces {
    cell  'o'
    born  '+'  # both only while a generation is computed
    dying 'x'
}

setup { apply glider }

main =
    for each cell do [ lonely_or_crowded, replace by dying ],
    for each empty field do [ assert (count [ neighbour ] == 3), replace by born ],
    for each dying do replace by empty field,
    for each born do replace by cell,
    called "next".

lonely_or_crowded = assert (count [ neighbour ] < 2 || count [ neighbour ] > 3).

neighbour = any direction, step, points at [cell or dying].

# It flies to the lower right corner.
glider =
    for each any field do [
        either assert (row == rows && column == 2)
        or assert (row == rows - 1 && column == 3)
        or assert (row == rows - 2 && column <= 3),
        replace by cell
    ].
