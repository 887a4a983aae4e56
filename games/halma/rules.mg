# Halma: step, or jump over men of any colour; the first to fill the camp in the opposite corner wins.

dimensions (16, 16)
no moves = draw
repetition = draw 3

pieces { man 'w' 'b' }

properties {
    origin  : move  : [0 .. 1616]
    arrived : move  : [0 .. 1]
    played  : board : [0 .. 600] unhashed
}

setup {
    "...........bbbbb"
    "...........bbbbb"
    "............bbbb"
    ".............bbb"
    "..............bb"
    "................"
    "................"
    "................"
    "................"
    "................"
    "................"
    "ww.............."
    "www............."
    "wwww............"
    "wwwww..........."
    "wwwww..........."
}

notation { coordinates }

evaluation {
    table man =
        "-177 -161 -145 -130 -115 -100  -87  -74  -61  -49  -38  -28  -19  -11   -4    0"
        "-186 -169 -153 -137 -122 -108  -94  -80  -67  -55  -44  -33  -23  -14   -7   -4"
        "-194 -177 -161 -145 -130 -115 -100  -87  -74  -61  -49  -38  -28  -19  -14  -11"
        "-203 -186 -169 -153 -137 -122 -108  -94  -80  -67  -55  -44  -33  -28  -23  -19"
        "-211 -194 -177 -161 -145 -130 -115 -100  -87  -74  -61  -49  -44  -38  -33  -28"
        "-220 -203 -186 -169 -153 -137 -122 -108  -94  -80  -67  -61  -55  -49  -44  -38"
        "-229 -211 -194 -177 -161 -145 -130 -115 -100  -87  -80  -74  -67  -61  -55  -49"
        "-238 -220 -203 -186 -169 -153 -137 -122 -108 -100  -94  -87  -80  -74  -67  -61"
        "-247 -229 -211 -194 -177 -161 -145 -130 -122 -115 -108 -100  -94  -87  -80  -74"
        "-256 -238 -220 -203 -186 -169 -153 -145 -137 -130 -122 -115 -108 -100  -94  -87"
        "-265 -247 -229 -211 -194 -177 -169 -161 -153 -145 -137 -130 -122 -115 -108 -100"
        "-274 -256 -238 -220 -203 -194 -186 -177 -169 -161 -153 -145 -137 -130 -122 -115"
        "-284 -265 -247 -229 -220 -211 -203 -194 -186 -177 -169 -161 -153 -145 -137 -130"
        "-293 -274 -256 -247 -238 -229 -220 -211 -203 -194 -186 -177 -169 -161 -153 -145"
        "-303 -284 -274 -265 -256 -247 -238 -229 -220 -211 -203 -194 -186 -177 -169 -161"
        "-313 -303 -293 -284 -274 -265 -256 -247 -238 -229 -220 -211 -203 -194 -186 -177"
    arrived 20 : count [ find own man, in_camp ]
    # Places in the camp that are still to fill, near a man outside.
    near_1 12 : count [
        find empty field,
        in_camp,
        test [ any direction, step, points at own man, not in_camp ]
    ]
    near_2 10 : count [
        find empty field,
        in_camp,
        test [ repeat 2 times aside, points at own man, not in_camp ]
    ]
    near_4 8 : count [
        find empty field,
        in_camp,
        test [ repeat 4 times aside, points at own man, not in_camp ]
    ]
    jumps 2 : count [ find own man, either north or northeast or east, jump_on ]
    # Men of the opponent that cannot leave the camp.
    locked_in -40 : count [
        find opponent's man,
        in_camp,
        not [
            any direction,
            step,
            either points at empty field or [ points at any piece, step, points at empty field ]
        ]
    ]
    tempo 5 mover : 1
}

main =
    find own man,
    assign (origin = 100 * column + row, arrived = count [ in_camp ]),
    pick up,
    either walk or repeat 1 .. infinity times jump,
    assert (origin != 100 * column + row && arrived <= count [ in_camp ]),
    put down,
    assign (played++),
    try [ not [ find own man, not in_camp ], win ]
    else try [ assert (played == 600), draw ].  # three hundred moves each

walk = any direction, step, points at empty field.

jump = any direction, step, points at any piece, step, points at empty field.

# The opponent's corner, which men never leave again.
in_camp = assert (column >= 12 && row >= 12 && column + row >= 27).

# For the evaluation.

aside = optionally [ any direction, step, north ].

jump_on = step, points at any piece, step, points at empty field.
