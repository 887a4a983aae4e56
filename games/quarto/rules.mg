# Quarto: place the piece you are given and choose one for the opponent; four in a row with something in common win.

dimensions (4, 4)
sides = 1
no moves = draw

pieces { token '#' }

properties {
    kind    : field : [0 .. 15]  # tall, dark, round, hollow: one bit each
    given   : board : [0 .. 16]  # what must be placed next; 16 at the beginning
    common  : move  : [0 .. 15]
    lacking : move  : [0 .. 15]
}

setup { given = 16 }

main = try [ assert (given == 16), choose ] else [ place, try [ quarto, win ] else try choose ].

place =
    find empty field,
    called field,
    replace by token,
    assign (kind = given),
    irreversible.

choose =
    assign (given = 0),
    repeat 0 .. 15 times assign (given++),
    not [ find token, assert (kind == given) ],
    called "/" (given).

# Along one line through the last token all have, or all lack, some property.
quarto =
    either orthogonal
    or [ assert (column == row), northeast ]
    or [ assert (column + row == 5), northwest ],
    while step backward do nothing,
    assign (common = lacking = 15),
    look,
    repeat 3 times [ step, look ],
    assert (common || lacking).

look = points at token, assign (common &= kind, lacking &= 15 - kind).
