# Ultimate tic-tac-toe: nine boards in one; your field says on which board the opponent must play; three boards in a row win.

dimensions (11, 11)
sides = 1
no moves = draw

pieces {
    mark 'X' 'O'
    wall '#'
}

properties {
    next : board : [0 .. 9]  # the board to play on, counted from the top left as its fields are; 0 is any
    here : move  : [0 .. 9]  # the board played on
}

setup {
    "...#...#..."
    "...#...#..."
    "...#...#..."
    "###########"
    "...#...#..."
    "...#...#..."
    "...#...#..."
    "###########"
    "...#...#..."
    "...#...#..."
    "...#...#..."
}

evaluation {
    boards 57 : count [ board, won ]
    middle_board 28 : count [ move to (6, 6), won ]
    corner_boards 10 : count [ board, assert (column != 6 && row != 6), won ]
    # Rows of boards that are won or may still be.
    one_board 17 : count [ open_boards, assert (count [ in_boards ] == 1) ]
    two_boards 57 : count [ open_boards, assert (count [ in_boards ] == 2) ]
    # Rows of fields without a mark of the opponent.
    ones 6 : count [ board, not decided, open_row, assert (count [ in_row ] == 1) ]
    twos 18 : count [ board, not decided, open_row, assert (count [ in_row ] == 2) ]
    useful_twos 10 : count [
        board,
        not decided,
        test useful,
        open_row,
        assert (count [ in_row ] == 2)
    ]
    deciding_ones 9 : count [
        board,
        not decided,
        test deciding,
        open_row,
        assert (count [ in_row ] == 1)
    ]
    deciding_twos 43 : count [
        board,
        not decided,
        test deciding,
        open_row,
        assert (count [ in_row ] == 2)
    ]
    middle_twos 7 : count [
        move to (6, 6),
        not decided,
        open_row,
        assert (count [ in_row ] == 2)
    ]
    free 23 mover : next == 0
}

main =
    find empty field,
    assign (here = 1 + (column - 1) / 4 + (11 - row) / 4 * 3),
    assert (next == 0 || next == here),
    not [ to_centre, decided ],
    replace by mark,
    irreversible,
    assign (next = 1 + (column - 1) % 4 + (11 - row) % 4 * 3),
    called (here) "/" (next),
    try [ three_boards, win ],
    try [
        move to ((next - 1) % 3 * 4 + 2, 10 - (next - 1) / 3 * 4),
        either decided or full,
        assign (next = 0)
    ].

to_centre = move to ((column - 1) / 4 * 4 + 2, (row - 1) / 4 * 4 + 2).

# Of the board whose centre is under the finger:
decided = either won or as opponent won.

won = test [
    around,
    points at own mark,
    any direction,
    repeat 2 times [ step, points at own mark ]
].

full = not [ around, points at empty field ].

around = optionally [ any direction, step ].

three_boards =
    to_centre,
    won,
    any direction,
    while [ repeat 4 times step, won ] do nothing,
    repeat 2 times [ repeat 4 times step backward, won ].

# For the evaluation, also with boards as their centres:
board = find any field, assert (column % 4 == 2 && row % 4 == 2).

line = either east or southeast or south or southwest.

open_row = around, line, test free_row.

free_row = free_field, repeat 2 times [ step, free_field ].

free_field = points at [empty field or own mark].

in_row = repeat 0 .. 2 times step, points at own mark.

open_boards = board, line, test free_boards.

free_boards = may_win, repeat 2 times [ repeat 4 times step, may_win ].

may_win = not as opponent won, test open_row.

in_boards = repeat 0 .. 2 times [ repeat 4 times step ], won.

# The board is in a row of boards that may be won.
useful =
    line,
    either nothing or repeat 4 times step backward or repeat 8 times step backward,
    free_boards.

# The board completes three in a row.
deciding =
    either [ any direction, repeat 2 times [ repeat 4 times step, won ] ]
    or [ line, test [ repeat 4 times step, won ], repeat 4 times step backward, won ].
