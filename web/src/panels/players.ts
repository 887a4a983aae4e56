// The bars above and below the board: who plays, what is in store, and the clocks.

import { emblem, pieceIcon } from "../board/pieces.ts";
import type { Manner } from "../board/geometry.ts";
import { button, h, replace } from "../dom.ts";
import { spoken, type Clock, type GameInfo, type Side, type State } from "../model.ts";
import type { Player } from "../settings.ts";

/** Properties that say nothing to somebody who looks at the board. */
const QUIET = /^(quiet|king_side|queen_side|en_passant|moves|played|arriving|origin)$/;

export class PlayerBar {
  readonly element = h("div", { class: "player-bar" });
  private readonly name = h("span", { class: "player-name" });
  private readonly stock = h("span", { class: "stock" });
  private readonly clock = h("span", { class: "clock", role: "timer" });

  constructor(
    private readonly game: GameInfo,
    private readonly side: Side,
    private readonly manner: Manner,
    /** A piece in hand was taken up, to be dropped on the board. */
    private readonly hold: (piece: number) => void,
  ) {
    const piece = emblem(game, side);
    const picture = piece > 0 ? pieceIcon(game, piece, manner) : h("span", { class: `side-dot ${side}` });
    this.element.append(picture, this.name, this.stock, this.clock);
  }

  show(state: State, player: Player): void {
    const who = this.side === "white" ? "White" : "Black";
    replace(this.name, who, h("small", {}, player === "computer" ? "computer" : "person"));
    this.element.classList.toggle("to-move", state.side === this.side && !state.outcome);
    const index = this.side === "white" ? 0 : 1;
    const parts = this.game.properties
      .filter((property) => property.scope === "player" && !QUIET.test(property.name))
      .map((property) => ({ name: property.name, value: (state.values[property.name] as number[])[index] }))
      .map(({ name, value }) => this.entry(name, value));
    replace(this.stock, ...parts);
  }

  /** Pieces in hand are drawn; other numbers are named. */
  private entry(name: string, value: number): HTMLElement | null {
    const piece = this.game.pieces.findIndex((info) => info.side === this.side && `${info.name}s` === name);
    if (piece > 0) {
      if (value === 0) return null;
      const label = `${value} ${name} in hand: drop one`;
      return button(label, () => this.hold(piece), { class: "in-hand" }, pieceIcon(this.game, piece, this.manner), String(value));
    }
    return h("span", { class: "counter" }, `${spoken(name)} `, h("b", {}, String(value)));
  }

  tick(clock: Clock | null, since: number): void {
    this.clock.hidden = clock === null;
    if (!clock) return;
    const running = clock.running === this.side;
    const left = Math.max(0, clock.left[this.side === "white" ? 0 : 1] - (running ? performance.now() - since : 0));
    this.clock.textContent = time(left);
    this.clock.classList.toggle("running", running);
    this.clock.classList.toggle("short", left < 10_000);
  }
}

function time(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  const minutes = Math.floor(seconds / 60);
  const rest = seconds - 60 * minutes;
  return seconds < 10 ? `0:0${rest.toFixed(1)}` : `${minutes}:${String(Math.floor(rest)).padStart(2, "0")}`;
}

/** Numbers that belong to the whole board. */
export function boardValues(game: GameInfo, state: State): HTMLElement[] {
  return game.properties
    .filter((property) => property.scope === "board" && !QUIET.test(property.name))
    .map((property) => {
      const value = state.values[property.name] as number;
      if (game.name === "quarto" && property.name === "given") {
        return h("span", { class: "counter given" }, "to place ", value < 16 ? pieceIcon(game, 1, "plain", value) : "–");
      }
      return h("span", { class: "counter" }, `${spoken(property.name)} `, h("b", {}, String(value)));
    });
}
