#!/bin/bash
# XBoard plays one game of Multigame against itself through PolyGlot, without a screen, and prints its record.
# Needs: apt-get install xboard polyglot xvfb; a built program (cargo build --release).
set -euo pipefail
program=$(realpath "${1:-target/release/multigame}")
folder=$(mktemp -d)
screen=:$((80 + RANDOM % 100))
trap 'kill "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT
PATH=$PATH:/usr/games

cat > "$folder/multigame.ini" <<INI
[PolyGlot]
EngineName = Multigame
EngineDir = $folder
EngineCommand = $program uci chess
Book = false
Log = false
[Engine]
Hash = 16
INI

Xvfb "$screen" -screen 0 1024x768x24 > /dev/null 2>&1 &
server=$!
sleep 2
cd "$folder"
engine="polyglot $folder/multigame.ini"
DISPLAY=$screen timeout 180 xboard -fcp "$engine" -scp "$engine" -mode TwoMachines -mg 1 -tc 0:10 -inc 0.1 \
    -saveGameFile "$folder/game.pgn" -debug -nameOfDebugFile "$folder/debug.txt" > "$folder/xboard.txt" 2>&1 || true
if [ ! -s "$folder/game.pgn" ]; then
    tail -20 "$folder/xboard.txt" "$folder/debug.txt"
    echo "no game was recorded" >&2
    exit 1
fi
cat "$folder/game.pgn"
