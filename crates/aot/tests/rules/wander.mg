# A king goes as far as it likes: the rule that says so comes back to itself without end, and to the same fields again
# and again.

dimensions (4, 4)
no moves = loss

pieces { king 'K' 'k' }

setup {
    "...k"
    "...."
    "...."
    "K..."
}

main = find own king, pick up, wander, points at empty field, put down.

wander = any direction, step, either nothing or wander.
