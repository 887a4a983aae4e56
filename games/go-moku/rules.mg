# Go-moku: five stones in a row win. Black begins.

parameter size = 15 [5 .. 26]
parameter exact = 0 [0 .. 1]  # whether six or more in a row are worth nothing

dimensions (size, size)
sides = 1
no moves = draw

pieces { stone 'O' 'X' }

setup { black to move }

notation { coordinates }

main = find empty field, replace by stone, irreversible, try [ five_in_a_row, win ].

# To the end of the row of own stones, then back along it.
five_in_a_row =
    any direction,
    while [ step, points at own stone ] do nothing,
    repeat 4 times [ step backward, points at own stone ],
    not [ assert (exact), step backward, points at own stone ].
