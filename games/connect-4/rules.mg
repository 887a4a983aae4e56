# Connect-4: discs fall to the lowest empty field of a column; four in a row win.

parameter columns = 7 [1 .. 26]
parameter rows = 6 [1 .. 26]
parameter connect = 4 [2 .. 26]

dimensions (columns, rows)
sides = 1
no moves = draw

pieces { disc 'X' 'O' }

notation { column }

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
