# Three men's morris: place three men, then move them along the lines; three in a row win.

dimensions (3, 3)
sides = 1
no moves = loss
repetition = draw 3

pieces { man 'w' 'b' }

properties {
    to_place : player : [0 .. 3]
}

setup { to_place = 3, 3 }

notation { coordinates }
looks { fields "lines" }

evaluation {
    # Rows of three without a man of the opponent.
    ones 4 : count [ open_row, assert (count [ in_row ] == 1) ]
    twos 12 : count [ open_row, assert (count [ in_row ] == 2) ]
    wins 100 mover : to_place > 0 && count [ open_row, assert (count [ in_row ] == 2) ] > 0
    mobility 3 : count [
        find own man,
        either orthogonal or [ assert ((column + row) % 2 == 0), diagonal ],
        step,
        points at empty field
    ]
}

main = try place else shift, try [ three_in_a_row, win ].

place = assert (to_place > 0), assign (to_place--), find empty field, replace by man, irreversible.

# The diagonal lines meet in the centre.
shift =
    find own man,
    pick up,
    either orthogonal or [ assert ((column + row) % 2 == 0), diagonal ],
    step,
    points at empty field,
    put down.

three_in_a_row = find own man, any direction, repeat 2 times [ step, points at own man ].

# For the evaluation.

open_row =
    find any field,
    either north or northeast or east or southeast,
    test [ not points at opponent's man, repeat 2 times [ step, not points at opponent's man ] ].

in_row = repeat 0 .. 2 times step, points at own man.
