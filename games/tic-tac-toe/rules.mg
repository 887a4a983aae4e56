# Tic-tac-toe: three in a row win, a full board is a draw.

dimensions (3, 3)
sides = 1
no moves = draw

pieces { mark 'X' 'O' }

notation { coordinates }

main =
    find empty field,
    replace by mark,
    irreversible,
    try [ three_in_a_row, win ].

three_in_a_row = find own mark, any direction, repeat 2 times [ step, points at own mark ].
