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

evaluation {
    # Of the pieces that complete nothing and are not placed the given one is left: any other loses.
    calm = count [ find any field, not number_fits ] - count [ find token, not kind_fits ] != 1
    wins 3000 mover : count [ test given_fits ]
    last -60 mover : count [ find any field, not number_fits ] -
        count [ find token, not kind_fits ] == 1
    safe 5 mover : count [ find any field, not number_fits ] -
        count [ find token, not kind_fits ]
    # The player who places after an even number of tokens wants many lines that can still be completed, the other few.
    shared 8 mover : count [ find token ] % 2 ? 0 :
        count [ pair, assert (count [ along, assert (kind & 1) ] != 1) ] +
        count [ pair, assert (count [ along, assert (kind & 2) ] != 1) ] +
        count [ pair, assert (count [ along, assert (kind & 4) ] != 1) ] +
        count [ pair, assert (count [ along, assert (kind & 8) ] != 1) ]
    dead -12 mover : count [ find token ] % 2 ? -count [ dead ] : count [ dead ]
}

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

# For the evaluation.

# A kind completes a line: that of the piece to place, of a token, and the one that the field means, of sixteen.

given_fits =
    either [ assert (given & 1), tall ]
    or [ assert (!(given & 1)), short ]
    or [ assert (given & 2), dark ]
    or [ assert (!(given & 2)), light ]
    or [ assert (given & 4), round ]
    or [ assert (!(given & 4)), square ]
    or [ assert (given & 8), hollow ]
    or [ assert (!(given & 8)), solid ].

kind_fits =
    either [ assert (kind & 1), tall ]
    or [ assert (!(kind & 1)), short ]
    or [ assert (kind & 2), dark ]
    or [ assert (!(kind & 2)), light ]
    or [ assert (kind & 4), round ]
    or [ assert (!(kind & 4)), square ]
    or [ assert (kind & 8), hollow ]
    or [ assert (!(kind & 8)), solid ].

number_fits =
    either [ assert (column - 1 & 1), tall ]
    or [ assert (!(column - 1 & 1)), short ]
    or [ assert (column > 2), dark ]
    or [ assert (column <= 2), light ]
    or [ assert (row - 1 & 1), round ]
    or [ assert (!(row - 1 & 1)), square ]
    or [ assert (row > 2), hollow ]
    or [ assert (row <= 2), solid ].

# Three tokens of a line with something in common.

tall = three, assert (count [ along, assert (kind & 1) ] == 3).

short = three, assert (count [ along, assert (kind & 1) ] == 0).

dark = three, assert (count [ along, assert (kind & 2) ] == 3).

light = three, assert (count [ along, assert (kind & 2) ] == 0).

round = three, assert (count [ along, assert (kind & 4) ] == 3).

square = three, assert (count [ along, assert (kind & 4) ] == 0).

hollow = three, assert (count [ along, assert (kind & 8) ] == 3).

solid = three, assert (count [ along, assert (kind & 8) ] == 0).

# With nothing in common.
dead =
    three,
    assert (count [ along, assert (kind & 1) ] % 3),
    assert (count [ along, assert (kind & 2) ] % 3),
    assert (count [ along, assert (kind & 4) ] % 3),
    assert (count [ along, assert (kind & 8) ] % 3).

three = line, assert (count [ along ] == 3).

pair = line, assert (count [ along ] == 2).

line =
    find any field,
    either [ assert (column == 1), east ]
    or [ assert (row == 1), north ]
    or [ assert (column == 1 && row == 1), northeast ]
    or [ assert (column == 4 && row == 1), northwest ].

along = repeat 0 .. 3 times step, points at token.
