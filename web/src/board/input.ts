// From clicks on fields to a move: what has been touched so far, and what may be touched next.

import type { Move } from "../model.ts";

export type Verdict =
  | { kind: "play"; move: Move }
  | { kind: "choose"; moves: Move[] }
  | { kind: "more" } // something is selected, and more clicks are needed
  | { kind: "nothing" };

/** Collects clicks until one legal move is left. */
export class Clicks {
  private moves: Move[] = [];
  private touched: number[] = [];
  /** Stops of a jump that somebody touched although they need not be. */
  private stops: number[] = [];

  /** Begins with the moves of a new position. */
  reset(moves: Move[]): void {
    this.moves = moves.filter((move) => move.clicks.length > 0);
    this.clear();
  }

  clear(): void {
    this.touched = [];
    this.stops = [];
  }

  /** Fields touched so far. */
  get selected(): readonly number[] {
    return this.touched;
  }

  /** Fields where a move may begin. */
  get starts(): Set<number> {
    return new Set(this.moves.map((move) => move.clicks[0]));
  }

  /** Fields that may be touched next. */
  get targets(): Set<number> {
    if (this.touched.length === 0) return new Set();
    const next = this.candidates().map((move) => move.clicks[this.touched.length]);
    return new Set(next.filter((field) => field !== undefined));
  }

  /** Moves that are complete now although another click could follow. */
  get complete(): Move[] {
    if (this.touched.length === 0) return [];
    return this.candidates().filter((move) => move.clicks.length === this.touched.length);
  }

  /** Whether the moves that begin there are made by this one click. */
  startsWhole(field: number): boolean {
    return this.moves.every((move) => move.clicks[0] !== field || move.clicks.length === 1);
  }

  private candidates(): Move[] {
    const follows = (move: Move) => this.touched.every((field, k) => move.clicks[k] === field);
    const passes = (move: Move) => this.stops.every((field) => move.path.includes(field));
    return this.moves.filter((move) => follows(move) && passes(move));
  }

  click(field: number): Verdict {
    const next = this.candidates().filter((move) => move.clicks[this.touched.length] === field);
    if (next.length > 0) {
      this.touched.push(field);
      return this.verdict();
    }
    if (this.touched.length === 0) return { kind: "nothing" };
    // The same field again: that is the move, if there is one that ends here; otherwise let go.
    if (this.touched[this.touched.length - 1] === field) {
      const complete = this.complete;
      if (complete.length > 0) return this.settle(complete);
      this.clear();
      return { kind: "nothing" };
    }
    // Straight to the end of a move with stops between.
    const ends = this.candidates().filter((move) => move.clicks[move.clicks.length - 1] === field);
    if (ends.length === 1) return this.settle(ends);
    if (this.candidates().some((move) => move.path.slice(1, -1).includes(field))) {
      this.stops.push(field);
      return { kind: "more" };
    }
    this.clear();
    return this.starts.has(field) ? this.click(field) : { kind: "nothing" };
  }

  private verdict(): Verdict {
    const complete = this.complete;
    if (complete.length === 0) return { kind: "more" };
    // Where a longer move goes on along its way, somebody must say where it ends. Anything else that it touches is
    // better chosen from all that can be done here.
    const longer = this.candidates().filter((move) => move.clicks.length > this.touched.length);
    const goesOn = longer.some((move) => move.path.includes(move.clicks[this.touched.length]));
    return goesOn ? { kind: "more" } : this.settle([...complete, ...longer]);
  }

  private settle(moves: Move[]): Verdict {
    return moves.length === 1 ? { kind: "play", move: moves[0] } : { kind: "choose", moves };
  }
}
