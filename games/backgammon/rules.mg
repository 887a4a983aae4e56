# Backgammon without the doubling cube.
#
# Columns are points, counted as the player to move goes: men enter on 1 to 6 and leave from 19 to 24.

dimensions (24, 1)
no moves = error

pieces { man 'O' 'X' }

properties {
    first  : board  : [0 .. 6] chance  # 0: the dice are being thrown
    second : board  : [0 .. 6]
    ways   : board  : [1 .. 2] weight
    begun  : board  : [0 .. 1]
    height : field  : [0 .. 15]  # how many men are on a point
    bar    : player : [0 .. 15]
    off    : player : [0 .. 15]
    pips   : move   : [0 .. 6]
    from   : move   : [0 .. 24]
    used   : move   : [0 .. 500]
}

setup {
    "O....X.X...OX...O.O....X"
    height = "2 0 0 0 0 5 0 3 0 0 0 5 5 0 0 0 3 0 5 0 0 0 0 2"
}

# As many dice as possible have to be used, and the greater one if only one of them can be.
main =
    greatest (used) play,
    assign (first = 0, second = 0),
    try [
        assert (off == 15),
        score_game
    ].

play =
    either [
        assert (first != second),
        either nothing
        or [ use_first, assign (from = 0), optionally use_second ]
        or [ use_second, assign (from = 0), optionally use_first ]
    ]
    or [ assert (first == second), repeat 0 .. 4 times use_first ].

use_first = assign (pips = first), use.
use_second = assign (pips = second), use.

use = try [ assert (used > 0), called " " ], either enter or go, assign (used += 100 + pips).

enter = assert (bar > 0), assign (bar--), move to (pips, 1), called "bar", land.

# The same throw is used from the rear to the front: the order makes no difference.
go =
    assert (bar == 0),
    find own man,
    assert (column >= from),
    assign (from = column, height--),
    called (25 - column),
    try [ assert (height == 0), replace by empty field ],
    either [ assert (column + pips <= 24), move to (column + pips, 1), land ] or leave.

land =
    called "/" (25 - column),
    either [ points at empty field, replace by man, assign (height = 1) ]
    or [ points at own man, assign (height++) ]
    or [
        points at opponent's man,
        assert (height == 1),
        replace by man,
        assign (opponent's bar++)
    ].

# A throw that is too great is for the rearmost man.
leave =
    assert (column + pips >= 25),
    not [ find own man, assert (column < 19) ],
    try assert (column + pips == 25) else not [ find own man, assert (column < from) ],
    assign (off++),
    called "/off".

# Gammons count twice; with a man on the bar or in the winner's home, three times.
score_game =
    try [ assert (opponent's off > 0), score (1) ]
    else try [
        either assert (opponent's bar > 0) or [ find opponent's man, assert (column >= 19) ],
        score (3)
    ]
    else score (2).

# The first throw, of one die each, also says who begins.
chance =
    assign (first = 1),
    repeat 0 .. 5 times assign (first++),
    assign (second = 1),
    repeat 0 .. 5 times assign (second++),
    assert (second <= first),
    either [ assert (begun), assign (ways = first == second ? 1 : 2), keep turn ]
    or [ assert (!begun && first != second), assign (begun = 1), optionally keep turn ],
    called (first) "-" (second).
