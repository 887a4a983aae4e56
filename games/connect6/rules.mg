# Connect6: six stones in a row win; Black begins with one stone, then each player places two.

parameter size = 19 [6 .. 26]

dimensions (size, size)
sides = 1
no moves = draw

pieces { stone 'O' 'X' }

properties {
    second : board : [0 .. 1]  # the player has placed the first of two stones
}

setup { black to move }

notation { coordinates }

looks { stone "○" "●" }

evaluation {
    # Six fields in a row without a stone of the opponent.
    twos 2 : count [ open_row, assert (count [ in_row ] == 2) ]
    threes 8 : count [ open_row, assert (count [ in_row ] == 3) ]
    fours 40 : count [ open_row, assert (count [ in_row ] == 4) ]
    fives 45 : count [ open_row, assert (count [ in_row ] == 5) ]
    tempo 20 mover : 1
}

main =
    find empty field,
    replace by stone,
    irreversible,
    try [ six_in_a_row, win ]
    else try [
        assert (count [ find any piece ] > 1),
        assign (second = 1 - second),
        try [ assert (second), keep turn ]
    ].

# To the end of the row of own stones, then back along it.
six_in_a_row =
    any direction,
    while [ step, points at own stone ] do nothing,
    repeat 5 times [ step backward, points at own stone ].

# For the evaluation.

open_row =
    find any field,
    either north or northeast or east or southeast,
    test [
        not points at opponent's stone,
        repeat 5 times [ step, not points at opponent's stone ]
    ].

in_row = repeat 0 .. 5 times step, points at own stone.
