# Go-moku: five stones in a row win. Black begins.

uses rows

parameter size = 15 [5 .. 26]
parameter exact = 0 [0 .. 1]  # whether six or more in a row are worth nothing

dimensions (size, size)
sides = 1
no moves = draw

pieces { stone 'O' 'X' }

setup { black to move }

notation { coordinates }

evaluation {
    # Five fields in a row without a stone of the opponent.
    ones 1 : count [ open_with (stone, 5, 1) ]
    twos 4 : count [ open_with (stone, 5, 2) ]
    threes 16 : count [ open_with (stone, 5, 3) ]
    fours 60 : count [ open_with (stone, 5, 4) ]
    tempo 20 mover : 1
}

main = find empty field, replace by stone, irreversible, try [ five_in_a_row, win ].

five_in_a_row =
    in_a_row (own stone, 5),
    not [ assert (exact), step backward, points at own stone ].
