# Rows: stones of one kind one behind the other, and places where they may still come.
#
# Each rule says which stones, as the player to move means them: `stone`, `opponent's stone`, `any piece`.

# The four ways a row may lie; in the opposite directions are the same rows.
axis = either north or northeast or east or southeast.

# This many stones in a row, through the field under the finger in the present direction: to the end, then back
# along it. Longer rows count.
row_through (stone, length) =
    while [ step, points at stone ] do nothing,
    repeat length - 1 times [ step backward, points at stone ].

# The field under the finger is in a row of so many.
in_a_row (stone, length) = any direction, row_through (stone, length).

# Each place for a row that has no stone of the opponent: the finger at its beginning, the direction along it.
open_row (stone, length) =
    find any field,
    axis,
    test [
        not points at opponent's stone,
        repeat length - 1 times [ step, not points at opponent's stone ]
    ].

# Each stone of the row that begins here.
in_row (stone, length) = repeat 0 .. length - 1 times step, points at stone.

# Each place for a row that has no stone of the opponent and this many of one's own, for evaluations.
open_with (stone, length, number) =
    open_row (stone, length),
    assert (count [ in_row (stone, length) ] == number).
