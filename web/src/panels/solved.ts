// What endgame databases know: where each legal move leads with perfect play.

import { h, replace } from "../dom.ts";
import type { Move, Standing, State } from "../model.ts";

/** The databases of a game, and why they cannot be used if they cannot. */
export interface Endgames {
  source: string;
  error: string | null;
}

export interface SolvedActions {
  play(name: string): void;
  /** Shows a move on the board, or none. */
  point(move: Move | null): void;
}

export class SolvedPanel {
  readonly element = h("div", { class: "solved-panel" });
  private readonly position = h("p", { class: "solved-position" });
  private readonly moves = h("ol", { class: "solved-moves", "aria-label": "Moves with perfect play, the best first" });

  constructor(endgames: Endgames, private readonly actions: SolvedActions) {
    const { source, error } = endgames;
    const note = error === null
      ? `Perfect play from ${source}. A move here is one of each player.`
      : `The values of ${source} cannot be used: ${error}`;
    this.element.append(this.position, this.moves, h("p", { class: "note" }, note));
    this.position.hidden = error !== null;
  }

  /** Shows the values of a state; `may` says whether a person may move now. */
  show(state: State, may: boolean): void {
    const known = state.outcome ? null : state.endgame ?? null;
    this.position.textContent = state.outcome ? "The game is over." : whole(known?.standing ?? null, state.side === "white");
    const rows = (known?.moves ?? []).map(({ move: name, standing }) => {
      const move = state.moves.find((move) => move.name === name) ?? null;
      const plies = standing?.plies;
      const point = () => this.actions.point(move);
      const leave = () => this.actions.point(null);
      return h("li", {}, h("button", {
        type: "button", class: `solved-move ${standing?.value ?? "unknown"}`, disabled: !may,
        title: plies === undefined ? null : `${plies} ${plies === 1 ? "ply" : "plies"}`,
        click: () => this.actions.play(name), mouseenter: point, focus: point, mouseleave: leave, blur: leave,
      }, h("span", { class: "solved-name" }, name), h("span", { class: "solved-value" }, standing ? text(standing) : "not known")));
    });
    replace(this.moves, ...rows);
  }
}

/** `White wins in 12 moves`. */
function whole(standing: Standing | null, white: boolean): string {
  if (!standing) return "The value of this position is not known.";
  if (standing.value === "draw") return "Nobody can force a win.";
  const winner = (standing.value === "win") === white ? "White" : "Black";
  return `${winner} ${text({ ...standing, value: "win" })}`;
}

/** `wins in 12 moves`, `draws`, `loses by 3`. */
export function text({ value, plies, margin }: Standing): string {
  if (value === "draw") return "draws";
  const verb = value === "win" ? "wins" : "loses";
  if (margin !== undefined) return `${verb} by ${margin}`;
  // People count the moves of the winner; the other player's are between them.
  const moves = Math.ceil((plies ?? 0) / 2);
  return `${verb} in ${moves} ${moves === 1 ? "move" : "moves"}`;
}
