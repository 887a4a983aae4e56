# Dodgem: white cars leave the board on the right, black ones at the top; a player who cannot move has won.

parameter size = 3 [2 .. 8]

dimensions (size, size)
sides = 1
no moves = error  # who has no move has won
repetition = draw 3

pieces { car 'W' 'B' }

setup { apply park }

notation { coordinates }

# White's cars stand on the left, Black's below; the corner between them is free.
park =
    for each any field do [ assert (column == 1 && row > 1), replace by own car ],
    for each any field do [ assert (row == 1 && column > 1), replace by opponent's car ].

main = try drive else win.

drive =
    find own car,
    either [
        pick up,
        either [ white to move, either north or east or south ]
        or [ black to move, either west or north or east ],
        step,
        points at empty field,
        put down
    ]
    or [
        either [ white to move, assert (column == size) ]
        or [ black to move, assert (row == size) ],
        replace by empty field,
        irreversible
    ].
