# Pente: five stones in a row win, and so do five captured pairs; a pair is captured between two stones.

uses rows

parameter size = 19 [5 .. 26]

dimensions (size, size)
sides = 1
no moves = draw

pieces { stone 'O' 'X' }

properties {
    pairs : player : [0 .. 12]  # captured
}

notation { coordinates }

looks { stone "○" "●" }

evaluation {
    # Five fields in a row without a stone of the opponent.
    twos 3 : count [ open_with (stone, 5, 2) ]
    threes 12 : count [ open_with (stone, 5, 3) ]
    fours 50 : count [ open_with (stone, 5, 4) ]
    captured 60 : pairs
    captured_many 120 : pairs >= 4
    tempo 20 mover : 1
}

main =
    find empty field,
    replace by stone,
    while [ any direction, capture ] do nothing,
    irreversible,
    try [ either in_a_row (own stone, 5) or assert (pairs >= 5), win ].

# Out to an own stone behind two of the opponent's, and back again.
capture =
    repeat 2 times [ step, points at opponent's stone ],
    step,
    points at own stone,
    repeat 2 times [ step backward, replace by empty field ],
    step backward,
    assign (pairs++).
