# Connect6: six stones in a row win; Black begins with one stone, then each player places two.

uses rows

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
    twos 2 : count [ open_with (stone, 6, 2) ]
    threes 8 : count [ open_with (stone, 6, 3) ]
    fours 40 : count [ open_with (stone, 6, 4) ]
    fives 45 : count [ open_with (stone, 6, 5) ]
    tempo 20 mover : 1
}

main =
    find empty field,
    replace by stone,
    irreversible,
    try [ in_a_row (own stone, 6), win ]
    else try [
        assert (count [ find any piece ] > 1),
        assign (second = 1 - second),
        try [ assert (second), keep turn ]
    ].
