# What the games of the shogi family have in common: how pieces go, who attacks a field, who gives check.
#
# Both sides look up the board, so a piece attacks a king from where the king could go like it. A game calls its
# pieces king, silver, bishop, rook, pawn, horse and dragon, gives the name `golden` to the pattern of all pieces
# that go like a gold, and says with a rule `held_by_others` what else attacks.

gold_step = either orthogonal or northwest or northeast, step.

silver_step = either diagonal or north, step.

knight_leap = north, step, either northwest or northeast, step.

lance_way = north, glide.

bishop_way = diagonal, glide.

rook_way = orthogonal, glide.

glide = repeat 0 .. infinity times [ step, points at empty field ], step.

check = find own king, attacked.

attacked = test either [ any direction, step, points at opponent's king ] or held.

# Attacked by the opponent with another piece than the king.
held =
    test either [ any direction, step, points at [opponent's horse or opponent's dragon] ]
    or [ gold_step, points at opponent's golden ]
    or [ silver_step, points at opponent's silver ]
    or held_by_others
    or [ bishop_way, points at [opponent's bishop or opponent's horse] ]
    or [ rook_way, points at [opponent's rook or opponent's dragon] ]
    or [ north, step, points at opponent's pawn ].

# The game has no other pieces, unless it says so.
held_by_others = assert (0).

# How many moves in a row have given check, for the rule on perpetual check.
count_check = try [ as opponent check, assign (checks++) ] else assign (checks = 0).

second_pawn = either north or south, repeat 1 .. infinity times step, points at own pawn.

# A pawn must not be dropped to mate. Nothing can come between it and the king, so only moves on the board escape.
mate = north, step, points at opponent's king, not as opponent [ walk, not check ].
