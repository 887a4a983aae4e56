# Three-check: chess that is also won by giving check for the third time.

based on chess

properties {
    checks : player : [0 .. 3]  # given so far
}

notation { uci algebraic }

main =
    try [ assert (quiet == 100), test legal_move, draw ]  # fifty moves each
    else try [ legal_move, try count_check ]
    else try [ check, lose ]
    else draw.

count_check = as opponent check, assign (checks++), try [ assert (checks == 3), win ].
