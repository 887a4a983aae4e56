# Two men who step to and fro; the rules themselves say who has won when a position comes back.

dimensions (3, 2)
no moves = loss
repetition = judge 2 (cycle)

pieces { man 'M' 'm' }

properties {
    west_steps : player : [0 .. 99] unhashed
    cycle      : move   : [0 .. 99]
}

setup {
    ".m."
    ".M."
}

main =
    find own man,
    pick up,
    either [ east, assign (west_steps = 0) ] or [ west, assign (west_steps++) ],
    step,
    points at empty field,
    put down.

# The player to move wins if the last step was to the east.
repeated =
    assert (west_steps < cycle / 2),
    either [ assert (west_steps), lose ] or [ assert (!west_steps), win ].
