# The knight's tour: a knight leaps over the whole board and visits every field once.

parameter size = 5 [3 .. 8]

players = 1
dimensions (size, size)
no moves = loss

pieces {
    knight  'N'
    visited '*'
}

setup { apply begin }

notation { coordinates }

looks {
    knight  "♘"
    visited "·"
    fields  "chequered"
}

evaluation {
    # Every move visits one field.
    to_visit 1 : count [ find empty field ]
}

# In the lower left corner.
begin = move to (1, 1), replace by knight.

main =
    find knight,
    replace by visited,
    orthogonal,
    step,
    either turn 45 or turn -45,
    step,
    points at empty field,
    replace by knight,
    irreversible.

goal = not find empty field.
