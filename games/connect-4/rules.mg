# Connect-4: discs fall to the lowest empty field of a column; four in a row win.

parameter columns = 7 [1 .. 26]
parameter rows = 6 [1 .. 26]
parameter connect = 4 [2 .. 26]

dimensions (columns, rows)
sides = 1
no moves = draw

pieces { disc 'X' 'O' }

notation { column }

evaluation {
    # Rows without a disc of the opponent.
    open 1 : count [
        find own disc,
        any direction,
        repeat connect - 1 times [ step, not points at opponent's disc ]
    ]
    pairs 4 : count [
        find own disc,
        any direction,
        step,
        points at own disc,
        repeat connect - 2 times [ step, not points at opponent's disc ]
    ]
    threats 24 : count [ find empty field, test completes ]
    # At the end of the game White fills the odd rows.
    good_threats 30 : count [
        find empty field,
        either [ white to move, assert (row % 2 == 1) ]
        or [ black to move, assert (row % 2 == 0) ],
        test completes
    ]
    middle 5 : count [
        find own disc,
        assert (2 * column >= columns && 2 * column <= columns + 2)
    ]
}

main =
    find empty field,
    not [ south, step, points at empty field ],
    replace by disc,
    irreversible,
    try [ row_through_finger, win ].

# To the end of the row of own discs, then back along it.
row_through_finger =
    any direction,
    while [ step, points at own disc ] do nothing,
    repeat connect - 1 times [ step backward, points at own disc ].

# For the evaluation.
completes = replace by disc, row_through_finger.
