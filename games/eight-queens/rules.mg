# Eight queens: place a queen on every row of a chessboard so that none attacks another.

parameter size = 8 [4 .. 12]

players = 1
dimensions (size, size)
no moves = loss

pieces { queen 'Q' }

notation { coordinates }

looks {
    queen  "♕"
    fields "chequered"
}

evaluation {
    # Every move places one queen.
    to_place 1 : size - count [ find queen ]
}

# Row by row from below.
main =
    find empty field,
    assert (row == count [ find queen ] + 1),
    not [ any direction, repeat 1 .. infinity times step, points at queen ],
    replace by queen,
    irreversible.

goal = assert (count [ find queen ] == size).
