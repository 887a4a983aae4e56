# The 8-puzzle with a lower bound: the sum of Manhattan distance, linear conflicts, corners and last move.

players = 1
dimensions (3, 3)
no moves = error

pieces {
    tile_1 '1'  tile_2 '2'  tile_3 '3'  tile_4 '4'
    tile_5 '5'  tile_6 '6'  tile_7 '7'  tile_8 '8'
}

setup {
    ".12"
    "345"
    "678"
}

evaluation {
    table tile_1 = "1 0 1" "2 1 2" "3 2 3"
    table tile_2 = "2 1 0" "3 2 1" "4 3 2"
    table tile_3 = "1 2 3" "0 1 2" "1 2 3"
    table tile_4 = "2 1 2" "1 0 1" "2 1 2"
    table tile_5 = "3 2 1" "2 1 0" "3 2 1"
    table tile_6 = "2 3 4" "1 2 3" "0 1 2"
    table tile_7 = "3 2 3" "2 1 2" "1 0 1"
    table tile_8 = "4 3 2" "3 2 1" "2 1 0"
    conflicts : 2 * count [ either in_row_conflict or in_column_conflict ]
    # If a tile is in a conflict as well, the same moves may do for both.
    corners : 2 * count [ either top_right or bottom_left or bottom_right ]
    # So may those of a tile that makes way in a conflict or beside a corner.
    last_move : count [ either no_detour_of_1 or no_detour_of_3 ] ? 0 : count [ solved ] ? 0 : 2
}

main = find empty field, orthogonal, step, pick up, step backward, put down.

solved = match (empty field, tile_1, tile_2, tile_3, tile_4, tile_5, tile_6, tile_7, tile_8).

in_row_conflict =
    either [ find tile_2, row_1, points at tile_1 ]
    or [ find tile_4, row_2, points at tile_3 ]
    or [ find tile_5, row_2, points at [tile_3 or tile_4] ]
    or [ find tile_7, row_3, points at tile_6 ]
    or [ find tile_8, row_3, points at [tile_6 or tile_7] ].

in_column_conflict =
    either [ find tile_6, column_1, points at tile_3 ]
    or [ find tile_4, column_2, points at tile_1 ]
    or [ find tile_7, column_2, points at [tile_1 or tile_4] ]
    or [ find tile_5, column_3, points at tile_2 ]
    or [ find tile_8, column_3, points at [tile_2 or tile_5] ].

row_1 =
    assert (row == 3),
    east,
    repeat 0 .. infinity times [ step, not points at [tile_1 or tile_2] ],
    step.

row_2 =
    assert (row == 2),
    east,
    repeat 0 .. infinity times [ step, not points at [tile_3 or tile_4 or tile_5] ],
    step.

row_3 =
    assert (row == 1),
    east,
    repeat 0 .. infinity times [ step, not points at [tile_6 or tile_7 or tile_8] ],
    step.

column_1 =
    assert (column == 1),
    south,
    repeat 0 .. infinity times [ step, not points at [tile_3 or tile_6] ],
    step.

column_2 =
    assert (column == 2),
    south,
    repeat 0 .. infinity times [ step, not points at [tile_1 or tile_4 or tile_7] ],
    step.

column_3 =
    assert (column == 3),
    south,
    repeat 0 .. infinity times [ step, not points at [tile_2 or tile_5 or tile_8] ],
    step.

top_right =
    move to (3, 3),
    points at any piece,
    not points at tile_2,
    either [ move to (2, 3), points at tile_1, not [ west, step, points at tile_2 ] ]
    or [
        not points at tile_8,
        move to (3, 2),
        points at tile_5,
        not [ south, step, points at tile_2 ]
    ].

bottom_left =
    move to (1, 1),
    points at any piece,
    not points at tile_6,
    either [ move to (1, 2), points at tile_3, not [ north, step, points at tile_6 ] ]
    or [
        not points at tile_8,
        move to (2, 1),
        points at tile_7,
        not [ east, step, points at tile_6 ]
    ].

bottom_right =
    move to (3, 1),
    points at any piece,
    not points at tile_8,
    either [
        not points at tile_2,
        move to (3, 2),
        points at tile_5,
        not [ north, step, points at tile_8 ]
    ]
    or [
        not points at tile_6,
        move to (2, 1),
        points at tile_7,
        not [ west, step, points at tile_8 ]
    ].

no_detour_of_1 =
    find tile_1,
    either assert (column == 1)
    or [
        assert (column == 2),
        test [ north, repeat 1 .. 2 times step, points at [tile_4 or tile_7] ]
    ]
    or [
        assert (column == 2 && row == 3),
        test [ move to (3, 3), points at any piece, not points at tile_2 ]
    ].

no_detour_of_3 =
    find tile_3,
    either assert (row == 3)
    or [
        assert (row == 2),
        test [ west, repeat 1 .. 2 times step, points at [tile_4 or tile_5] ]
    ]
    or [
        assert (column == 1 && row == 2),
        test [ move to (1, 1), points at any piece, not points at tile_6 ]
    ].
