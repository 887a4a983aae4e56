// Dialogs: a new game, a choice between moves, help.

import { pieceIcon } from "../board/pieces.ts";
import { mannerOf, type Manner } from "../board/geometry.ts";
import { BoardView } from "../board/view.ts";
import { button, h, icon, toast } from "../dom.ts";
import { title } from "../gallery.ts";
import { spoken, type GameInfo, type Move, type ParameterInfo, type Position } from "../model.ts";
import { LEVELS, saveSettings, settings, type Settings } from "../settings.ts";

/** Shows a dialog until it is closed, and gives what its buttons returned. */
function open(heading: string, body: HTMLElement, buttons: [string, string][], cls = ""): Promise<{ answer: string; dialog: HTMLDialogElement }> {
  const dialog = h("dialog", { class: cls, "aria-labelledby": "dialog-heading" });
  const row = buttons.map(([answer, label], index) =>
    h("button", { value: answer, class: index === buttons.length - 1 ? "primary" : "" }, label));
  dialog.append(h("form", { method: "dialog" },
    h("header", {}, h("h2", { id: "dialog-heading" }, heading), button("Close", () => dialog.close(""), { class: "plain" }, icon("close"))),
    body, h("footer", {}, ...row)));
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => {
    dialog.remove();
    resolve({ answer: dialog.returnValue, dialog });
  }));
}

export interface NewGame {
  settings: Settings;
  parameters: Record<string, number>;
  position?: string;
}

/** Asks who plays, how strong, with which clock, and from which position. */
export async function askNewGame(game: GameInfo, parameters: ParameterInfo[], chosen: Record<string, number>): Promise<NewGame | null> {
  const now = settings();
  const two = game.players === 2;
  const who = select("who", [["white", "You are White, the computer Black"], ["black", "You are Black, the computer White"], ["people", "Two people"], ["computer", "The computer plays both sides"]], whoOf(now));
  const level = select("level", LEVELS.map((entry, index) => [String(index), `${entry.name} (${describe(entry.limits)})`]), String(now.level));
  const clock = select("clock", CLOCKS.map(([key, label]) => [key, label]), now.clock ? `${now.clock.minutes}+${now.clock.seconds}` : "");
  const inputs = parameters.map((p) => ({
    parameter: p,
    input: h("input", { type: "number", id: `set-${p.name}`, min: p.low, max: p.high, value: chosen[p.name] ?? p.value, required: true }),
  }));
  const position = h("textarea", { id: "position-text", rows: 2, spellcheck: "false", placeholder: "empty: the usual beginning" });
  const body = h("div", { class: "fields" },
    two && row("Players", who), two && row("Strength", level), two && row("Clock", clock),
    ...inputs.map(({ parameter, input }) => row(`${capital(spoken(parameter.name))} (${parameter.low}–${parameter.high})`, input)),
    row("Position text", position));
  const { answer } = await open(`New game of ${title(game.name, game.about)}`, body, [["", "Cancel"], ["start", "Start"]]);
  if (answer !== "start") return null;
  const players = PLAYERS[two ? who.value : "people"];
  const time = /^(\d+)\+(\d+)$/.exec(clock.value);
  const change = { players, level: Number(level.value), clock: time ? { minutes: Number(time[1]), seconds: Number(time[2]) } : null };
  if (two) saveSettings(change);
  const values = inputs.filter(({ parameter, input }) => Number(input.value) !== parameter.value);
  return {
    settings: { ...now, ...(two ? change : {}) },
    parameters: Object.fromEntries(values.map(({ parameter, input }) => [parameter.name, Number(input.value)])),
    position: position.value.trim() || undefined,
  };
}

const CLOCKS: [string, string][] = [["", "none"], ["1+0", "1 minute"], ["3+2", "3 minutes, 2 s a move"], ["5+0", "5 minutes"], ["10+5", "10 minutes, 5 s a move"], ["30+0", "30 minutes"]];

const PLAYERS: Record<string, Settings["players"]> = {
  white: { white: "person", black: "computer" },
  black: { white: "computer", black: "person" },
  people: { white: "person", black: "person" },
  computer: { white: "computer", black: "computer" },
};

export function whoOf(now: Settings): string {
  const { white, black } = now.players;
  if (white === black) return white === "person" ? "people" : "computer";
  return white === "person" ? "white" : "black";
}

function describe(limits: { time?: number; depth?: number }): string {
  return limits.depth ? `looks ${limits.depth} ahead` : `${(limits.time ?? 1000) / 1000} s a move`;
}

function select(id: string, options: [string, string][], value: string): HTMLSelectElement {
  return h("select", { id }, ...options.map(([key, label]) => h("option", { value: key, selected: key === value }, label)));
}

function row(label: string, input: HTMLElement): HTMLElement {
  return h("div", { class: "field-row" }, h("label", { for: input.id }, label), input);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Lets somebody choose between moves with the same clicks. */
export function chooseMove(game: GameInfo, before: Position, moves: Move[], flipped: boolean): Promise<Move | null> {
  return new Promise((resolve) => {
    const dialog = h("dialog", { class: "chooser", "aria-label": "Choose a move" });
    const choices = moves.map((move) => {
      // Where nothing short tells the moves apart, pictures of what comes out do.
      const named = move.label !== null && move.label !== move.name;
      const label = named ? move.label! : move.name;
      const choose = () => {
        dialog.returnValue = move.name;
        dialog.close(move.name);
      };
      return h("button", { type: "button", class: named ? "choice" : "choice outcome", click: choose, "aria-label": label },
        ...(named ? described(game, move, label) : [outcome(game, before, move, flipped), h("span", {}, label)]));
    });
    dialog.append(h("div", { class: moves.length > 6 ? "choices many" : "choices" }, ...choices));
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close(""));
    document.body.append(dialog);
    dialog.showModal();
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(moves.find((move) => move.name === dialog.returnValue) ?? null);
    });
  });
}

/** What a button for a move shows: its label, or a picture of the piece that it is about. */
export function described(game: GameInfo, move: Move, label: string): Element[] {
  const drawn = picture(game, move, label, mannerOf(game));
  // The number of a token says nothing beside its picture.
  return /(= |\/)\d+$/.test(label) && drawn.length > 0 ? drawn : [...drawn, h("span", {}, label)];
}

/** The board after a move. */
function outcome(game: GameInfo, before: Position, move: Move, flipped: boolean): SVGElement {
  const view = new BoardView(game, null);
  view.flip(flipped);
  view.show({ ...before, cells: before.cells.map((piece, field) => move.cells.get(field) ?? piece) }, null, false);
  return view.element;
}

function picture(game: GameInfo, move: Move, label: string, manner: Manner): SVGElement[] {
  if (game.name === "quarto" && typeof move.values.given === "number") return [pieceIcon(game, 1, "plain", move.values.given)];
  const named = game.pieces.findIndex((piece, index) => index > 0 && spoken(piece.name) === spoken(label).replace(/^(white|black) /, ""));
  const target = move.path[move.path.length - 1];
  const placed = move.cells.get(target);
  if (placed && placed > 0 && moveShowsPiece(game, placed, label)) return [pieceIcon(game, placed, manner)];
  return named > 0 ? [pieceIcon(game, named, manner)] : [];
}

function moveShowsPiece(game: GameInfo, piece: number, label: string): boolean {
  return spoken(label).includes(spoken(game.pieces[piece].name));
}

export const SHORTCUTS: [string, string][] = [
  ["Arrow keys", "on the board: go from field to field; elsewhere: one move back or forth"],
  ["Enter", "on the board: touch the field, as a click does"],
  ["Escape", "let go of what is selected; stop the computer"],
  ["b", "go to the board"],
  ["n", "new game"],
  ["u / r", "take a move back / make it again"],
  ["h", "hint"],
  ["c", "let the computer move"],
  ["f", "turn the board"],
  ["m", "type a move"],
  ["1 2 3 4 5", "moves, thinking, search tree, parallel search, solved positions"],
  ["g / e", "games / editor"],
  ["t", "dark or light"],
  ["?", "this list"],
];

export async function showHelp(): Promise<void> {
  const list = h("dl", { class: "shortcuts" }, ...SHORTCUTS.flatMap(([keys, what]) => [h("dt", {}, h("kbd", {}, keys)), h("dd", {}, what)]));
  const text = h("p", {}, "Click a piece and then a field, or drag it. Moves in several steps take several clicks; where two moves share their clicks, you choose.");
  await open("Help", h("div", {}, text, list), [["", "Close"]], "help");
}

/** Shows a text that can be copied. */
export async function showLink(address: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(address);
    toast("The link is in the clipboard.");
  } catch {
    const input = h("input", { id: "link-text", value: address, readonly: true });
    await open("A link to this position", h("div", { class: "fields" }, row("Link", input)), [["", "Close"]]);
  }
}
