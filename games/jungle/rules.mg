# Jungle (dou shou qi): eight animals each, the stronger captures the weaker; the first one in the opponent's den wins.

dimensions (7, 9)
no moves = loss
repetition = draw 3

pieces {
    rat      'R' 'r'
    cat      'C' 'c'
    dog      'D' 'd'
    wolf     'W' 'w'
    leopard  'P' 'p'
    tiger    'T' 't'
    lion     'L' 'l'
    elephant 'E' 'e'
}

properties {
    quiet    : board : [0 .. 100] unhashed  # moves since the last capture
    strength : move  : [0 .. 8]
}

setup {
    "l.....t"
    ".d...c."
    "r.p.w.e"
    "......."
    "......."
    "......."
    "E.W.P.R"
    ".C...D."
    "T.....L"
}

notation { coordinates }

looks {
    rat "鼠"  cat "貓"  dog "狗"  wolf "狼"  leopard "豹"  tiger "虎"  lion "獅"  elephant "象"
    fields "lines"
}

evaluation {
    material {
        rat 500
        cat 200
        dog 300
        wolf 350
        leopard 500
        tiger 800
        lion 900
        elephant 1000
    }
    advance 4 : sum (row) [ find own piece ]
    near_den 30 : count [ find own piece, assert (row >= 7 && column >= 3 && column <= 5) ]
    tempo 10 mover : 1
}

main =
    either [ find own rat, assign (strength = 1), pick up, orthogonal, swim ]
    or [ find own cat, assign (strength = 2), walk ]
    or [ find own dog, assign (strength = 3), walk ]
    or [ find own wolf, assign (strength = 4), walk ]
    or [ find own leopard, assign (strength = 5), walk ]
    or [ find own tiger, assign (strength = 6), either walk or leap ]
    or [ find own lion, assign (strength = 7), either walk or leap ]
    or [ find own elephant, assign (strength = 8), walk ],
    not own_den,
    either [ points at empty field, assign (quiet++) ] or capture,
    put down,
    try [ either opponents_den or not find opponent's piece, win ]
    else try [ assert (quiet == 100), draw ].

walk = pick up, orthogonal, step, not water.

# Over the water, if no rat swims in the way.
leap =
    pick up,
    orthogonal,
    step,
    water,
    while water do [ points at empty field, step ].

# A rat does not capture on its way into the water or out of it.
swim =
    either [ water, step, either water or points at empty field ]
    or [ not water, step, either not water or points at empty field ].

# Whatever is in a trap beside the own den is weaker than all; the rat captures the elephant, but not the other way.
capture =
    either [ own_trap, points at opponent's piece ]
    or [ not own_trap, weaker ],
    irreversible,
    assign (quiet = 0).

weaker =
    either [ points at opponent's rat, assert (strength < 8) ]
    or [ points at opponent's cat, assert (strength >= 2) ]
    or [ points at opponent's dog, assert (strength >= 3) ]
    or [ points at opponent's wolf, assert (strength >= 4) ]
    or [ points at opponent's leopard, assert (strength >= 5) ]
    or [ points at opponent's tiger, assert (strength >= 6) ]
    or [ points at opponent's lion, assert (strength >= 7) ]
    or [ points at opponent's elephant, assert (strength == 8 || strength == 1) ].

own_den = assert (row == 1 && column == 4).

opponents_den = assert (row == 9 && column == 4).

own_trap = assert ((row == 1 && (column == 3 || column == 5)) || (row == 2 && column == 4)).

water = assert (row >= 4 && row <= 6 && column != 1 && column != 4 && column != 7).
