# Order and chaos: both players write crosses and noughts; Order (White) wants five alike in a row, Chaos prevents it.

dimensions (6, 6)
sides = 1
no moves = error  # the last field ends the game

pieces {
    cross  'X'
    nought 'O'
}

notation { coordinates }

evaluation {
    # Rows of five in which only one sign is written, for Order.
    threes 6 : count [ white to move, row_of_one_kind, assert (count [ in_row ] == 3) ]
    fours 40 : count [ white to move, row_of_one_kind, assert (count [ in_row ] == 4) ]
}

main =
    find empty field,
    either [ replace by cross, irreversible, try [ crosses, order ] else try filled ]
    or [ replace by nought, irreversible, try [ noughts, order ] else try filled ].

order = either [ white to move, win ] or [ black to move, lose ].

filled = not find empty field, either [ white to move, lose ] or [ black to move, win ].

# To the end of the row, then back along it.

crosses =
    any direction,
    while [ step, points at cross ] do nothing,
    repeat 4 times [ step backward, points at cross ].

noughts =
    any direction,
    while [ step, points at nought ] do nothing,
    repeat 4 times [ step backward, points at nought ].

# For the evaluation.

row_of_one_kind =
    find any field,
    either north or northeast or east or southeast,
    test either [ not points at cross, repeat 4 times [ step, not points at cross ] ]
    or [ not points at nought, repeat 4 times [ step, not points at nought ] ].

in_row = repeat 0 .. 4 times step, points at any piece.
