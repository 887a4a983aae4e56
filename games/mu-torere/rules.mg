# Mu torere, the star game of the Maori: around eight points and a centre men are moved until one player is blocked.

topology graph
dimensions (3, 3)
no moves = loss
repetition = draw 3

pieces { man 'W' 'B' }

directions {
    on / back : a1 b1 c1 c2 c3 b3 a3 a2 a1
    sw / ne   : c3 b2 a1
    s / n     : b3 b2 b1
    se / nw   : a3 b2 c1
    e / w     : a2 b2 c2
}

setup {
    "WBB"
    "W.B"
    "WWB"
}

notation { coordinates }

looks { fields "lines" }

# To the centre only from beside a man of the opponent.
main =
    find own man,
    either [ either on or back ] or [ spoke, either in_the_centre or beside_opponent ],
    pick up,
    step,
    points at empty field,
    put down.

spoke = either sw or ne or s or n or se or nw or e or w.

in_the_centre = assert (column == 2 && row == 2).

beside_opponent = test [ either on or back, step, points at opponent's man ].
