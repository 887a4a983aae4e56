# European peg solitaire: pegs jump over pegs on a board of 37 holes; one must remain.

based on pegged

setup {
    "__ooo__"
    "_ooooo_"
    "oo.oooo"
    "ooooooo"
    "ooooooo"
    "_ooooo_"
    "__ooo__"
}

goal = assert (count [ find peg ] == 1).
