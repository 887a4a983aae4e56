# EinStein würfelt nicht: six numbered stones; the die says which of them has to move.

dimensions (5, 5)
no moves = error

pieces {
    one   'A' 'a'
    two   'B' 'b'
    three 'C' 'c'
    four  'D' 'd'
    five  'E' 'e'
    six   'F' 'f'
}

properties {
    die    : board  : [0 .. 6] chance
    placed : player : [0 .. 6]
    chosen : move   : [0 .. 6]
}

setup { die = 6 }

notation { coordinates }

# Steps that are done, those near the far corner counting more.
evaluation {
    near 6 : sum (row < column ? row * row : column * column) [ find own piece ]
}

main = try place else go.

# Both players put their stones into their corner, one after the other in the order of their numbers.
place =
    assert (placed < 6),
    find empty field,
    assert (row + column <= 4),
    replace by [one or two or three or four or five or six],
    assert (rank == placed + 1),
    assign (placed++),
    irreversible,
    try [ assert (placed < 6), keep turn ]
    else try [ assert (opponent's placed == 6), assign (die = 0) ].

go =
    find own piece,
    assign (chosen = rank),
    nearest,
    pick up,
    either north or east or northeast,
    step,
    put down,
    assign (die = 0),
    irreversible,
    try [ either assert (row == 5 && column == 5) or not find opponent's piece, win ].

# The stone of that number, or if it is gone the next one upwards or downwards.
nearest =
    either assert (chosen == die)
    or [ assert (chosen > die), not [ find own piece, assert (rank >= die && rank < chosen) ] ]
    or [ assert (chosen < die), not [ find own piece, assert (rank <= die && rank > chosen) ] ].

chance = assign (die = 1), repeat 0 .. 5 times assign (die++), called (die), keep turn.
