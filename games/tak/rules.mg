# Tak: stones are placed and carried in stacks, and a road across the board wins.

stacks = 43 (flat)
dimensions (5, 5)
sides = 1
no moves = draw

pieces {
    flat 'F' 'f'
    wall 'W' 'w'
    cap  'C' 'c'
}

pattern standing = [own wall or opponent's wall]
pattern paved = [own flat or own cap]

properties {
    placed    : board  : [0 .. 2]
    stones    : player : [0 .. 21]
    capstones : player : [0 .. 1]
}

setup {
    stones = 21
    capstones = 1
}

main = either open or place or carry, ending.

# The first stone of both players is put there by the other one.
open =
    assert (placed < 2),
    find empty field,
    replace by opponent's flat,
    assign (placed++, opponent's stones--),
    called field,
    irreversible.

place =
    assert (placed == 2),
    find empty field,
    either [
        assert (stones),
        either [ replace by flat, called field ] or [ replace by wall, called "S" field ],
        assign (stones--)
    ]
    or [ assert (capstones), replace by cap, assign (capstones--), called "C" field ],
    irreversible.

# Up to five stones from the top go along a line and leave at least one on each field.
carry =
    assert (placed == 2),
    find own piece,
    either pick up (1) or pick up (2) or pick up (3) or pick up (4) or pick up (5),
    called (carried) field,
    either [ north, called "+" ]
    or [ east, called ">" ]
    or [ south, called "-" ]
    or [ west, called "<" ],
    do [ step, try flatten, leave ] while assert (carried).

leave =
    either [ put down (1), called "1" ]
    or [ put down (2), called "2" ]
    or [ put down (3), called "3" ]
    or [ put down (4), called "4" ]
    or [ put down (5), called "5" ].

# A capstone alone makes a wall flat.
flatten =
    assert (carried == 1),
    holds cap,
    either [ points at own wall, replace by own flat ]
    or [ points at opponent's wall, replace by opponent's flat ].

ending =
    try [ test road, win ]
    else try [ as opponent test road, lose ]
    else try [
        either not find empty field
        or assert (!(stones + capstones) || !(opponent's stones + opponent's capstones)),
        score (count [ find own flat ] - count [ find opponent's flat ])
    ].

road =
    either [ find paved, assert (row == 1), on, assert (row == 5) ]
    or [ find paved, assert (column == 1), on, assert (column == 5) ].

on = repeat 0 .. infinity times [ orthogonal, step, points at paved ].

evaluation {
    flats 100 : count [ find own flat ]
    walls 40 : count [ find own wall ]
    captives 20 : sum (height) [ find own piece ]
}
