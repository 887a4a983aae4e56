# Y: the first to join all three sides of the triangle with one chain of stones wins.

parameter size = 11 [2 .. 26]
parameter swap = 1 [0 .. 1]  # whether Black may take over White's first stone

topology hex
dimensions (size, size)
sides = 1
no moves = error  # a full board always has a winner

pieces {
    stone   'X' 'O'
    outside '#'
}

setup { apply half }

notation { coordinates }

half = for each any field do [ assert (column + row > size + 1), replace by outside ].

main =
    either [ find empty field, replace by stone ] or take_over,
    irreversible,
    try [ joined, win ].

joined =
    test [ chain, assert (column == 1) ],
    test [ chain, assert (row == 1) ],
    test [ chain, assert (column + row == size + 1) ].

chain = repeat 0 .. infinity times [ any direction, step, points at own stone ].

take_over =
    assert (swap),
    black to move,
    assert (count [ find [own stone or opponent's stone] ] == 1),
    find opponent's stone,
    replace by stone.
