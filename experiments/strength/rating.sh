#!/bin/bash
# A rating on the scale of Stockfish's UCI_LimitStrength: matches at equal time against several settings.
# Usage: rating.sh [GAMES] [SECONDS A MOVE] [ELO...]; needs stockfish (apt-get install stockfish), cargo build --release.
set -euo pipefail
cd "$(dirname "$0")/../.."
PATH=$PATH:/usr/games
games=${1:-20}
time=${2:-0.1}
shift $(($# < 2 ? $# : 2))
settings=${*:-1600 1900 2200}
for elo in $settings; do
    target/release/multigame match default "uci:stockfish,UCI_LimitStrength=true,UCI_Elo=$elo,Threads=1,Hash=16,name=stockfish-$elo" \
        --game chess --games "$games" --time "$time" --margin 2 --plies 4 --seed "$elo" --quiet
done
