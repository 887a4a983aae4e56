# Frisian draughts: international draughts with captures in all eight directions, of the greatest value.

based on "international-draughts"

properties {
    value      : move   : [0 .. 3980]  # of what is captured: a king is a little less than two men
    with_king  : move   : [0 .. 1]
    origin     : move   : [0 .. 110]
    last_king  : player : [0 .. 110]          # where the king stands that moved last, 0 if a man moved or it captured
    king_moves : player : [0 .. 3]            # how often in a row
    endgame    : board  : [0 .. 14] unhashed  # moves since at most two kings stand against one
}

evaluation {
    phase = count [ find any piece ] [4 .. 40]
    calm = count [ as opponent exposed ] == 0

    material { man 100  king 700 .. 550 }
    table man =
        "0 0 0 0 0"
        "30 30 30 30 30"
        "18 18 18 18 18"
        "12 12 12 12 12"
        "9 9 9 9 9"
        "7 7 7 7 7"
        "5 5 5 5 5"
        "3 3 3 3 3"
        "1 1 1 1 1"
        "0 0 0 0 0"
        ..
        "0 0 0 0 0"
        "80 80 80 80 80"
        "50 50 50 50 50"
        "36 36 36 36 36"
        "26 26 26 26 26"
        "18 18 18 18 18"
        "12 12 12 12 12"
        "7 7 7 7 7"
        "3 3 3 3 3"
        "0 0 0 0 0"
    mobility -4 .. 14 : count [ find own man, either northwest or northeast, onward ]
    # Men that can be jumped over.
    exposed -12 : count [ exposed ]
    tempo 8 mover : 1
}

# The most valuable capture; between equals a king's.
capture =
    greatest (with_king) greatest (value) [
        either [ find own man, pick up, man_jump, while man_jump do nothing, put down, try crown ]
        or [
            find own king,
            pick up,
            assign (with_king = 1),
            king_jump,
            while king_jump do nothing,
            put down
        ],
    ],
    for each taken do replace by empty field,
    assign (endgame = 0),
    progress.

man_jump = any direction, over, onward.

king_jump = any direction, repeat 0 .. infinity times onward, over, fly.

over =
    next,
    either [ points at opponent's man, assign (value += 100) ]
    or [ points at opponent's king, assign (value += 199) ],
    replace by taken.

onward = next, points at empty field.

# The next dark field: straight on, it is the next but one.
next = step, while assert ((row + column) % 2 == 1) do step.

walk =
    either [
        find own man,
        pick up,
        either northwest or northeast,
        onward,
        put down,
        try crown,
        progress
    ]
    or [ find own king, count_king_moves, pick up, diagonal, fly, put down, no_progress ].

# While there are men, no king moves more than three times in a row without capturing.
count_king_moves =
    assign (origin = 10 * row + column),
    try [ not find own man, assign (king_moves = 0) ]
    else [
        assign (king_moves = origin == last_king ? king_moves : 0),
        assert (king_moves < 3),
        assign (king_moves++)
    ].

progress = irreversible, assign (quiet = last_king = king_moves = 0).

no_progress =
    assign (last_king = 10 * row + column, quiet++),
    try [ assert (quiet == 50), draw ].  # twenty-five moves each

# Two kings have seven moves to catch a single one; one king against one has two.
few_pieces =
    assert (count [ find own man ] + count [ find opponent's man ] == 0 &&
        count [ find own king ] + count [ find opponent's king ] <= 3),
    assign (endgame++),
    try [ assert (endgame == (count [ find any piece ] == 3 ? 14 : 4)), draw ].

# For the evaluation.

exposed = find own man, any direction, test [ next, points at opponent's piece ], turn 180, onward.
