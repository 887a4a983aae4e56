# Go-moku: five stones in a row win. Black begins.

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
    ones 1 : count [ open_row, assert (count [ in_row ] == 1) ]
    twos 4 : count [ open_row, assert (count [ in_row ] == 2) ]
    threes 16 : count [ open_row, assert (count [ in_row ] == 3) ]
    fours 60 : count [ open_row, assert (count [ in_row ] == 4) ]
    tempo 20 mover : 1
}

main = find empty field, replace by stone, irreversible, try [ five_in_a_row, win ].

# To the end of the row of own stones, then back along it.
five_in_a_row =
    any direction,
    while [ step, points at own stone ] do nothing,
    repeat 4 times [ step backward, points at own stone ],
    not [ assert (exact), step backward, points at own stone ].

# For the evaluation.

open_row =
    find any field,
    either north or northeast or east or southeast,
    test [
        not points at opponent's stone,
        repeat 4 times [ step, not points at opponent's stone ]
    ].

in_row = repeat 0 .. 4 times step, points at own stone.
