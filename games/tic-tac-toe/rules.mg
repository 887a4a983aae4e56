# Tic-tac-toe: three in a row win, a full board is a draw.

uses rows

dimensions (3, 3)
sides = 1
no moves = draw

pieces { mark 'X' 'O' }

notation { coordinates }

evaluation {
    # Rows of three without a mark of the opponent.
    ones 4 : count [ open_with (mark, 3, 1) ]
    twos 10 : count [ open_with (mark, 3, 2) ]
    wins 100 mover : count [ open_with (mark, 3, 2) ] > 0
}

main =
    find empty field,
    replace by mark,
    irreversible,
    try [ three_in_a_row, win ].

three_in_a_row = find own mark, any direction, repeat 2 times [ step, points at own mark ].
