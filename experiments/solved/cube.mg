# Tic-tac-toe in a cube of three levels, which lie side by side; three in a row win.

dimensions (11, 3)
sides = 1
no moves = draw

pieces { mark 'X' 'O' }

setup {
    "..._..._..."
    "..._..._..."
    "..._..._..."
}

notation { coordinates }

main = find empty field, replace by mark, irreversible, try [ three_in_a_row, win ].

# On one level, straight up, or rising.
three_in_a_row =
    find own mark,
    either [ any direction, repeat 2 times [ step, points at own mark ] ]
    or [ repeat 2 times [ climb, points at own mark ] ]
    or [ any direction, repeat 2 times [ step, climb, points at own mark ] ].

climb = move to (column + 4, row).
