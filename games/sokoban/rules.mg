# Sokoban: the warehouse keeper pushes boxes, one at a time, onto the marked fields.

players = 1
no moves = loss

pieces {
    keeper '@'
    box    '$'
    wall   '#'
}

properties {
    marked : field : [0 .. 1]
}

setup {
    "#######"
    "#.....#"
    "#..#..#"
    "#.$.$.#"
    "##$.#.#"
    "#@..#.#"
    "#######"
    marked =
        "0 0 0 0 0 0 0"
        "0 0 0 0 1 1 0"
        "0 0 0 0 0 0 0"
        "0 0 0 0 0 0 0"
        "0 0 0 0 0 0 0"
        "0 0 0 0 0 1 0"
        "0 0 0 0 0 0 0"
}

notation { lurd }

main =
    find keeper,
    pick up,
    orthogonal,
    step,
    try push,
    points at empty field,
    put down.

push =
    points at box,
    replace by empty field,
    step,
    points at empty field,
    replace by box,
    step backward.

goal = not [ find box, assert (!marked) ].
