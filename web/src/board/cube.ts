// A cube drawn as a net: its faces can be clicked, although a turn moves no single piece.

import type { GameInfo, Move, Position } from "../model.ts";

/** The middle of the face that a sticker belongs to. */
export function middleOf(game: GameInfo, field: number): number {
  const { columns } = game.board;
  const [column, row] = [field % columns, Math.floor(field / columns)];
  return column - (column % 3) + 1 + (row - (row % 3) + 1) * columns;
}

/** Makes the middle of a face the click for its turns: those named after the sticker there, as `U2` is after `U`. */
export function faceClicks(game: GameInfo, position: Position, moves: Move[]): Move[] {
  const middles = new Map<string, number>();
  position.cells.forEach((piece, field) => {
    if (piece > 0 && middleOf(game, field) === field) middles.set(game.pieces[piece].symbol, field);
  });
  return moves.map((move) => {
    const middle = middles.get(move.name.charAt(0));
    return middle === undefined || move.clicks.length > 0 ? move : { ...move, clicks: [middle] };
  });
}
