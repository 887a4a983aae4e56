# Pentago: place a marble, then twist a quarter of the board; five in a row win.

uses rows

dimensions (6, 6)
sides = 1
no moves = draw

pieces { marble 'O' 'X' }

properties {
    carried : move : [0 .. 2]  # nothing, an own marble, an opponent's marble
}

evaluation {
    # Five fields in a row without a marble of the opponent.
    twos 4 : count [ open_with (marble, 5, 2) ]
    threes 16 : count [ open_with (marble, 5, 3) ]
    fours 40 : count [ open_with (marble, 5, 4) ]
}

main =
    find empty field,
    called field,
    replace by marble,
    irreversible,
    try [ five, win ] else [ twist, try judge ].

judge =
    try [ five, as opponent five, draw ]
    else try [ five, win ] else [ as opponent five, lose ].

five = test [ find own marble, any direction, repeat 4 times [ step, points at own marble ] ].

# By 90 degrees to the right or, three times, to the left.
twist =
    find any field,
    assert (column % 3 == 1 && row % 3 == 1),
    north,
    called "/" (column / 3 + 1 + row / 3 * 2),
    either [ quarter_turn, called "R" ] or [ repeat 3 times quarter_turn, called "L" ].

# Every marble around the centre moves on by two fields.
quarter_turn = repeat 2 times [
    exchange,
    repeat 4 times [ repeat 2 times [ step, exchange ], turn 90 ]
].

# Exchanges the carried marble for the one on the field.
exchange =
    try [ points at own marble, drop, assign (carried = 1) ]
    else try [ points at opponent's marble, drop, assign (carried = 2) ]
    else [ drop, assign (carried = 0) ].

drop =
    try [ assert (carried == 1), replace by marble ]
    else try [ assert (carried == 2), replace by opponent's marble ]
    else replace by empty field.
