# Tic-tac-toe: three in a row win, a full board is a draw.

dimensions (3, 3)
sides = 1
no moves = draw

pieces { mark 'X' 'O' }

notation { coordinates }

evaluation {
    # Rows of three without a mark of the opponent.
    ones 4 : count [ open_row, assert (count [ in_row ] == 1) ]
    twos 10 : count [ open_row, assert (count [ in_row ] == 2) ]
    wins 100 mover : count [ open_row, assert (count [ in_row ] == 2) ] > 0
}

main =
    find empty field,
    replace by mark,
    irreversible,
    try [ three_in_a_row, win ].

three_in_a_row = find own mark, any direction, repeat 2 times [ step, points at own mark ].

# For the evaluation.

open_row =
    find any field,
    either north or northeast or east or southeast,
    test [ not points at opponent's mark, repeat 2 times [ step, not points at opponent's mark ] ].

in_row = repeat 0 .. 2 times step, points at own mark.
