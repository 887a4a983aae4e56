# Abalone: push rows of marbles with longer rows of your own; the first player to push six off the board wins.
# Black begins.

topology hex
dimensions (9, 9)
no moves = loss
repetition = draw 3

pieces { marble 'O' 'X' }

properties {
    pushed             : player : [0 .. 6]  # marbles of the opponent pushed off the board
    played             : board  : [0 .. 400] unhashed
    own_row, their_row : move   : [0 .. 3]
}

setup {
    "XXXXX____"
    "XXXXXX___"
    "..XXX..__"
    "........_"
    "........."
    "_........"
    "__..OOO.."
    "___OOOOOO"
    "____OOOOO"
    black to move
}

notation { coordinates }

looks { marble "○" "●" }

evaluation {
    pushed_off 500 : pushed
    table marble =
        "0 0 0 0 0 _ _ _ _"
        "0 20 20 20 20 0 _ _ _"
        "0 20 36 36 36 20 0 _ _"
        "0 20 36 46 46 36 20 0 _"
        "0 20 36 46 50 46 36 20 0"
        "_ 0 20 36 46 46 36 20 0"
        "_ _ 0 20 36 36 36 20 0"
        "_ _ _ 0 20 20 20 20 0"
        "_ _ _ _ 0 0 0 0 0"
    together 3 : count [ find own marble, any direction, step, points at own marble ]
    tempo 10 mover : 1
}

main =
    either in_line or sideways,
    assign (played++),
    try [ assert (pushed == 6), win ]
    else try [ assert (played == 400), draw ].

# Up to three marbles in a row go one field ahead, the last one first to the front; they push a shorter row.
in_line =
    find own marble,
    replace by empty field,
    any direction,
    step,
    assign (own_row = 1),
    repeat 0 .. 2 times [ points at own marble, assign (own_row++), step ],
    either [ points at empty field, replace by marble ] or push.

# Marbles of the opponent behind the first one, then an empty field or the edge.
push =
    points at opponent's marble,
    replace by marble,
    assign (their_row = 1),
    repeat 0 .. 1 times [ step, points at opponent's marble, assign (their_row++) ],
    assert (their_row < own_row),
    either [ step, points at empty field, replace by opponent's marble ]
    or [ not step, assign (pushed++), irreversible ].

# Two or three marbles in a row step to the same side; each row is found from one end.
sideways =
    find own marble,
    either north or east or southeast,
    either [ shift_60, repeat 1 .. 2 times [ step, shift_60 ] ]
    or [ shift_120, repeat 1 .. 2 times [ step, shift_120 ] ]
    or [ shift_240, repeat 1 .. 2 times [ step, shift_240 ] ]
    or [ shift_300, repeat 1 .. 2 times [ step, shift_300 ] ].

shift_60 = lift, turn 60, aside, step backward, turn -60.

shift_120 = lift, turn 120, aside, step backward, turn -120.

shift_240 = lift, turn -120, aside, step backward, turn 120.

shift_300 = lift, turn -60, aside, step backward, turn 60.

lift = points at own marble, replace by empty field.

aside = step, points at empty field, replace by marble.
