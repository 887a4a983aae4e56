# King of the hill: chess that is also won by a king in the centre.

based on chess

main =
    try [ assert (quiet == 100), test legal_move, draw ]  # fifty moves each
    else try [ legal_move, try [ on_the_hill, win ] ]
    else try [ check, lose ]
    else draw.

on_the_hill = find own king, assert (row >= 4 && row <= 5 && column >= 4 && column <= 5).
