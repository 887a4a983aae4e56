# The 15-puzzle with the moves in the order in which Korf's program tried them: the empty field goes up, left, right, down.

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

main =
    find empty field,
    either north or west or east or south,
    step,
    pick up,
    step backward,
    put down.

goal = match (
    empty field, tile_1,  tile_2,  tile_3,
    tile_4,      tile_5,  tile_6,  tile_7,
    tile_8,      tile_9,  tile_10, tile_11,
    tile_12,     tile_13, tile_14, tile_15
).
