# Pegged (peg solitaire): pegs jump over pegs and remove them; one peg must remain, in the centre.

players = 1
dimensions (7, 7)
no moves = loss

pieces { peg 'o' }

setup {
    "__ooo__"
    "__ooo__"
    "ooooooo"
    "ooo.ooo"
    "ooooooo"
    "__ooo__"
    "__ooo__"
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
    orthogonal,
    step,
    points at peg,
    replace by empty field,
    step,
    points at empty field,
    put down,
    irreversible.

goal = move to (4, 4), points at peg, assert (count [ find peg ] == 1).
