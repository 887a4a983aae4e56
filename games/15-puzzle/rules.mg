# The 15-puzzle: slide the tiles into order, the empty field at the top left.

players = 1
dimensions (4, 4)
no moves = error

pieces {
    tile_1 '1'   tile_2 '2'   tile_3 '3'   tile_4 '4'   tile_5 '5'
    tile_6 '6'   tile_7 '7'   tile_8 '8'   tile_9 '9'   tile_10 'A'
    tile_11 'B'  tile_12 'C'  tile_13 'D'  tile_14 'E'  tile_15 'F'
}

setup {
    "E196"
    "48C5"
    "723."
    "ABDF"
}

notation { shift }

abstractions {
    top    : tile_1, tile_2, tile_3, tile_6, tile_7
    left   : tile_4, tile_5, tile_8, tile_9, tile_12
    bottom : tile_10, tile_11, tile_13, tile_14, tile_15
}

evaluation {
    # The distance of each tile from home, along rows and columns.
    table tile_1 = "1 0 1 2" "2 1 2 3" "3 2 3 4" "4 3 4 5"
    table tile_2 = "2 1 0 1" "3 2 1 2" "4 3 2 3" "5 4 3 4"
    table tile_3 = "3 2 1 0" "4 3 2 1" "5 4 3 2" "6 5 4 3"
    table tile_4 = "1 2 3 4" "0 1 2 3" "1 2 3 4" "2 3 4 5"
    table tile_5 = "2 1 2 3" "1 0 1 2" "2 1 2 3" "3 2 3 4"
    table tile_6 = "3 2 1 2" "2 1 0 1" "3 2 1 2" "4 3 2 3"
    table tile_7 = "4 3 2 1" "3 2 1 0" "4 3 2 1" "5 4 3 2"
    table tile_8 = "2 3 4 5" "1 2 3 4" "0 1 2 3" "1 2 3 4"
    table tile_9 = "3 2 3 4" "2 1 2 3" "1 0 1 2" "2 1 2 3"
    table tile_10 = "4 3 2 3" "3 2 1 2" "2 1 0 1" "3 2 1 2"
    table tile_11 = "5 4 3 2" "4 3 2 1" "3 2 1 0" "4 3 2 1"
    table tile_12 = "3 4 5 6" "2 3 4 5" "1 2 3 4" "0 1 2 3"
    table tile_13 = "4 3 4 5" "3 2 3 4" "2 1 2 3" "1 0 1 2"
    table tile_14 = "5 4 3 4" "4 3 2 3" "3 2 1 2" "2 1 0 1"
    table tile_15 = "6 5 4 3" "5 4 3 2" "4 3 2 1" "3 2 1 0"
    # Of two tiles in their home row or column in the wrong order, one has to make way.
    conflicts : 2 * count [ either in_row_conflict or in_column_conflict ]
    # A wrong tile in a corner whose neighbour is at home: the neighbour has to make way. If it is in a
    # conflict as well, the same moves may do for both.
    corners : 2 * count [ either top_right or bottom_left or bottom_right ]
    # The last move brings tile 1 or tile 4 home from the corner. A detour through the first column or row may
    # be the one by which the tile makes way in a conflict.
    last_move : count [ either no_detour_of_1 or no_detour_of_4 ] ? 0 : count [ goal ] ? 0 : 2
}

main = find empty field, orthogonal, step, pick up, step backward, put down.

goal = match (
    empty field, tile_1,  tile_2,  tile_3,
    tile_4,      tile_5,  tile_6,  tile_7,
    tile_8,      tile_9,  tile_10, tile_11,
    tile_12,     tile_13, tile_14, tile_15
).

# For the lower bound.

in_row_conflict =
    either [ find tile_2, row_1, points at tile_1 ]
    or [ find tile_3, row_1, points at [tile_1 or tile_2] ]
    or [ find tile_5, row_2, points at tile_4 ]
    or [ find tile_6, row_2, points at [tile_4 or tile_5] ]
    or [ find tile_7, row_2, points at [tile_4 or tile_5 or tile_6] ]
    or [ find tile_9, row_3, points at tile_8 ]
    or [ find tile_10, row_3, points at [tile_8 or tile_9] ]
    or [ find tile_11, row_3, points at [tile_8 or tile_9 or tile_10] ]
    or [ find tile_13, row_4, points at tile_12 ]
    or [ find tile_14, row_4, points at [tile_12 or tile_13] ]
    or [ find tile_15, row_4, points at [tile_12 or tile_13 or tile_14] ].

in_column_conflict =
    either [ find tile_8, column_1, points at tile_4 ]
    or [ find tile_12, column_1, points at [tile_4 or tile_8] ]
    or [ find tile_5, column_2, points at tile_1 ]
    or [ find tile_9, column_2, points at [tile_1 or tile_5] ]
    or [ find tile_13, column_2, points at [tile_1 or tile_5 or tile_9] ]
    or [ find tile_6, column_3, points at tile_2 ]
    or [ find tile_10, column_3, points at [tile_2 or tile_6] ]
    or [ find tile_14, column_3, points at [tile_2 or tile_6 or tile_10] ]
    or [ find tile_7, column_4, points at tile_3 ]
    or [ find tile_11, column_4, points at [tile_3 or tile_7] ]
    or [ find tile_15, column_4, points at [tile_3 or tile_7 or tile_11] ].

row_1 =
    assert (row == 4),
    east,
    repeat 0 .. infinity times [ step, not points at [tile_1 or tile_2 or tile_3] ],
    step.

row_2 =
    assert (row == 3),
    east,
    repeat 0 .. infinity times [ step, not points at [tile_4 or tile_5 or tile_6 or tile_7] ],
    step.

row_3 =
    assert (row == 2),
    east,
    repeat 0 .. infinity times [ step, not points at [tile_8 or tile_9 or tile_10 or tile_11] ],
    step.

row_4 =
    assert (row == 1),
    east,
    repeat 0 .. infinity times [ step, not points at [tile_12 or tile_13 or tile_14 or tile_15] ],
    step.

column_1 =
    assert (column == 1),
    south,
    repeat 0 .. infinity times [ step, not points at [tile_4 or tile_8 or tile_12] ],
    step.

column_2 =
    assert (column == 2),
    south,
    repeat 0 .. infinity times [ step, not points at [tile_1 or tile_5 or tile_9 or tile_13] ],
    step.

column_3 =
    assert (column == 3),
    south,
    repeat 0 .. infinity times [ step, not points at [tile_2 or tile_6 or tile_10 or tile_14] ],
    step.

column_4 =
    assert (column == 4),
    south,
    repeat 0 .. infinity times [ step, not points at [tile_3 or tile_7 or tile_11 or tile_15] ],
    step.

top_right =
    move to (4, 4),
    points at any piece,
    not points at tile_3,
    either [
        not points at tile_1,
        move to (3, 4),
        points at tile_2,
        not [ west, repeat 1 .. 2 times step, points at tile_3 ]
    ] or [
        not points at [tile_11 or tile_15],
        move to (4, 3),
        points at tile_7,
        not [ south, repeat 1 .. 2 times step, points at tile_3 ]
    ].

bottom_left =
    move to (1, 1),
    points at any piece,
    not points at tile_12,
    either [
        not points at tile_4,
        move to (1, 2),
        points at tile_8,
        not [ north, repeat 1 .. 2 times step, points at tile_12 ]
    ] or [
        not points at [tile_14 or tile_15],
        move to (2, 1),
        points at tile_13,
        not [ east, repeat 1 .. 2 times step, points at tile_12 ]
    ].

bottom_right =
    move to (4, 1),
    points at any piece,
    not points at tile_15,
    either [
        not points at [tile_3 or tile_7],
        move to (4, 2),
        points at tile_11,
        not [ north, repeat 1 .. 2 times step, points at tile_15 ]
    ] or [
        not points at [tile_12 or tile_13],
        move to (3, 1),
        points at tile_14,
        not [ west, repeat 1 .. 2 times step, points at tile_15 ]
    ].

no_detour_of_1 =
    find tile_1,
    either assert (column == 1)
    or [
        assert (column == 2),
        test [ north, repeat 1 .. 3 times step, points at [tile_5 or tile_9 or tile_13] ]
    ].

no_detour_of_4 =
    find tile_4,
    either assert (row == 4)
    or [
        assert (row == 3),
        test [ west, repeat 1 .. 3 times step, points at [tile_5 or tile_6 or tile_7] ]
    ].
