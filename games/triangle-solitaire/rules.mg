# Triangle solitaire: pegs jump over pegs on a triangle of fifteen holes; one must remain.

players = 1
topology hex
no moves = loss

pieces { peg 'o' }

setup {
    ".____"
    "oo___"
    "ooo__"
    "oooo_"
    "ooooo"
}

notation { coordinates }
looks { fields "holes" }

evaluation {
    # Every jump removes one peg.
    to_remove 1 : count [ find peg ] - 1
}

main =
    find peg,
    pick up,
    any direction,
    step,
    points at peg,
    replace by empty field,
    step,
    points at empty field,
    put down,
    irreversible.

goal = assert (count [ find peg ] == 1).
