# Pig: throw a die as often as you like, but a one loses what you have thrown in this turn.

parameter target = 100 [2 .. 1000]

dimensions (1, 1)
sides = 1
no moves = error

properties {
    decided : board  : [0 .. 1] chance  # 0: the die is being thrown
    die     : board  : [1 .. 6] unhashed
    pot     : board  : [0 .. target + 5]
    total   : player : [0 .. target + 5]
}

main = either throw_again or hold.

throw_again = assert (total + pot < target), assign (decided = 0), called "throw", keep turn.

hold =
    assign (total += pot, pot = 0, decided = 0),
    called "hold",
    try [ assert (total >= target), win ].

chance =
    assign (die = 1),
    repeat 0 .. 5 times assign (die++),
    called (die),
    try [ assert (die == 1), assign (pot = 0) ]
    else [ assign (pot += die, decided = 1), keep turn ].
