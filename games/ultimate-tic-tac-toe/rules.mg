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
