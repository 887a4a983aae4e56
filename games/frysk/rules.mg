# Frysk!: Frisian draughts with five men each, on the last rows.

based on "frisian-draughts"

setup {
    ".b.b.b.b.b"
    ".........."
    ".........."
    ".........."
    ".........."
    ".........."
    ".........."
    ".........."
    ".........."
    "w.w.w.w.w."
}
