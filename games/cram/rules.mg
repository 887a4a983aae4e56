# Cram: both players put dominoes anywhere, upright or flat; who finds no room has lost.

parameter columns = 6 [1 .. 20]
parameter rows = 6 [1 .. 20]

dimensions (columns, rows)
sides = 1
no moves = loss

pieces { domino '#' }

notation { coordinates }

main =
    find empty field,
    replace by domino,
    either north or east,
    step,
    points at empty field,
    replace by domino,
    irreversible.
