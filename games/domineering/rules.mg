# Domineering: White puts dominoes upright, Black puts them flat; who finds no room has lost.

parameter columns = 8 [1 .. 26]
parameter rows = 8 [1 .. 26]

dimensions (columns, rows)
sides = 1
no moves = loss

pieces { domino 'V' 'H' }

notation { coordinates }

main =
    find empty field,
    replace by domino,
    either [ white to move, north ] or [ black to move, east ],
    step,
    points at empty field,
    replace by domino,
    irreversible.
