# Dobutsu shogi, "let's catch the lion": shogi for children with four animals each on three by four fields.

dimensions (3, 4)
no moves = loss
repetition = draw 3

pieces {
    lion     'L' 'l'
    elephant 'E' 'e'
    giraffe  'G' 'g'
    chick    'C' 'c'
    hen      'H' 'h'  # promoted chick
}

properties {
    elephants, giraffes, chicks : player : [0 .. 2]  # in hand
    hatched                     : move   : [0 .. 1]
}

setup {
    "gle"
    ".c."
    ".C."
    "ELG"
}

notation { uci }

looks {
    lion     "獅"
    elephant "象"
    giraffe  "麒"
    chick    "ひ"
    hen      "に"
}

# A lion on the last row that cannot be caught there has won.
main =
    try arrived
    else [ either walk or drop, try arrived ].

arrived = find own lion, assert (row == 4), not attacked, win.

walk =
    either [ find own lion, pick up, any direction, step ]
    or [ find own elephant, pick up, diagonal, step ]
    or [ find own giraffe, pick up, orthogonal, step ]
    or [ find own chick, assign (hatched = row == 3), pick up, north, step ]
    or [ find own hen, pick up, hen_step ],
    either points at empty field or capture,
    put down,
    try [ assert (hatched), replace by hen ].

capture =
    either [ points at opponent's lion, win ]
    or [ points at opponent's elephant, assign (elephants++) ]
    or [ points at opponent's giraffe, assign (giraffes++) ]
    or [ points at [opponent's chick or opponent's hen], assign (chicks++) ].

drop =
    find empty field,
    either [ assert (elephants > 0), assign (elephants--), replace by elephant ]
    or [ assert (giraffes > 0), assign (giraffes--), replace by giraffe ]
    or [ assert (chicks > 0), assign (chicks--), replace by chick ].

hen_step = either orthogonal or northwest or northeast, step.

attacked =
    test either [ any direction, step, points at opponent's lion ]
    or [ diagonal, step, points at opponent's elephant ]
    or [ orthogonal, step, points at opponent's giraffe ]
    or [ north, step, points at opponent's chick ]
    or [ hen_step, points at opponent's hen ].
