# Renju: five in a row, with handicaps for Black, who begins: no six in a row, no two fours, no two open threes at once.

uses rows

dimensions (15, 15)
sides = 1
no moves = draw

pieces { stone 'O' 'X' }

properties {
    stones : move : [0 .. 225]
}

setup { black to move }

notation { coordinates }

looks {
    stone  "○" "●"
    fields "lines"
}

evaluation {
    # Five fields in a row without a stone of the opponent.
    ones 1 : count [ open_with (stone, 5, 1) ]
    twos 4 : count [ open_with (stone, 5, 2) ]
    threes 16 : count [ open_with (stone, 5, 3) ]
    fours 60 : count [ open_with (stone, 5, 4) ]
    tempo 20 mover : 1
}

main =
    assign (stones = count [ find any piece ]),
    find empty field,
    opening,
    replace by stone,
    irreversible,
    try [ black to move, either [ five, win ] or [ not five, not forbidden ] ]
    else [ white to move, try [ five_or_more, win ] ].

# The first stone lies in the centre, the second at most one, the third at most two away from it.
opening =
    assert (stones > 2 ||
        (column - 8) * (column - 8) <= stones * stones &&
        (row - 8) * (row - 8) <= stones * stones).

to_the_end = while [ step, points at own stone ] do nothing.

five_or_more = axis, row_through (own stone, 5).

five = axis, row_of_five.

row_of_five = test [
    row_through (own stone, 5),
    not [ step backward, points at own stone ]
].

forbidden =
    test either [ axis, row_through (own stone, 6) ]
    or assert (count [ any direction, four ] - count [ axis, straight_four ] >= 2)
    or assert (count [ axis, open_three ] >= 2).

# One stone more makes a five: the empty field at the end of this side of the row.
four = test [ extend, row_of_five ].

extend = to_the_end, step, points at empty field, replace by stone.

# Four in a row that become five on both sides.
straight_four =
    four,
    test [ turn 180, four ],
    test row_through (own stone, 4).

# One stone more, which must be allowed, makes a straight four.
open_three = test [ either nothing or turn 180, extend, straight_four, not five, not forbidden ].
