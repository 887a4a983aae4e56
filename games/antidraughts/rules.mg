# Antidraughts: international draughts for the player who first has no piece left, or cannot move.

based on "international-draughts"

no moves = error  # who has none has won

evaluation {
    # Few pieces are good, above all few kings; men that can be given away soon are the best ones.
    men -60 : count [ find own man ]
    kings -110 : count [ find own king ]
    mobility -2 : count [
        find own man,
        either northwest or northeast,
        step,
        points at empty field
    ]
    tempo -4 mover : 1
}

main = try capture else try walk else win.
