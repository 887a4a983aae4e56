# The 24-puzzle: slide the tiles into order, the empty field at the top left.

players = 1
dimensions (5, 5)
no moves = error

pieces {
    tile_1 '1'   tile_2 '2'   tile_3 '3'   tile_4 '4'   tile_5 '5'   tile_6 '6'
    tile_7 '7'   tile_8 '8'   tile_9 '9'   tile_10 'A'  tile_11 'B'  tile_12 'C'
    tile_13 'D'  tile_14 'E'  tile_15 'F'  tile_16 'G'  tile_17 'H'  tile_18 'I'
    tile_19 'J'  tile_20 'K'  tile_21 'L'  tile_22 'M'  tile_23 'N'  tile_24 'O'
}

setup {
    "651DE"
    "A9834"
    "BG72J"
    "KFCIO"
    ".LHMN"
}

notation { shift }

main = find empty field, orthogonal, step, pick up, step backward, put down.

goal = match (
    empty field, tile_1,  tile_2,  tile_3,  tile_4,
    tile_5,      tile_6,  tile_7,  tile_8,  tile_9,
    tile_10,     tile_11, tile_12, tile_13, tile_14,
    tile_15,     tile_16, tile_17, tile_18, tile_19,
    tile_20,     tile_21, tile_22, tile_23, tile_24
).
