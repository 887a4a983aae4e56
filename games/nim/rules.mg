# Nim: from one of four heaps take as many counters as you like; the player who takes the last one wins.

parameter misere = 0 [0 .. 1]  # whether the player who takes the last one loses

dimensions (4, 7)
sides = 1
no moves = loss

pieces { counter 'o' }

properties {
    heap  : move : [0 .. 4]
    first : move : [0 .. 7]
}

setup {
    "...o"
    "...o"
    "..oo"
    "..oo"
    ".ooo"
    ".ooo"
    "oooo"
}

# A heap is a column; the counters are taken from its top.
main = try take else [ assert (misere), win ].

take =
    find counter,
    called field,
    assign (heap = column, first = row),
    for each counter do [ assert (column == heap && row >= first), replace by empty field ],
    irreversible.
