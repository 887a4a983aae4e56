# Lights out: pressing a lamp switches it and its neighbours; all lamps must be switched off.

parameter size = 5 [2 .. 9]

players = 1
dimensions (size, size)
no moves = error

pieces { lamp 'o' }

setup { apply light }

looks { lamp "●" }

light = for each any field do replace by lamp.

main =
    find any field,
    called field,
    switch,
    north,
    repeat 4 times [ try [ step, switch, step backward ], turn 90 ].

switch =
    either [ points at lamp, replace by empty field ]
    or [ points at empty field, replace by lamp ].

goal = not find lamp.
