// The settings that the browser keeps: who plays, how strong, dark or light, and rules being written.

import type { Side } from "./model.ts";
import type { Limits } from "./api.ts";

export type Player = "person" | "computer";

export interface Settings {
  players: Record<Side, Player>;
  level: number;
  /** Minutes for each player and seconds added for each move; none without a clock. */
  clock: { minutes: number; seconds: number } | null;
  /** Threads of the computer's searches. */
  threads: number;
  /** Whether the line that the computer expects is drawn on the board. */
  lines: boolean;
}

export const LEVELS: { name: string; limits: Limits }[] = [
  { name: "Beginner", limits: { depth: 1, time: 1000 } },
  { name: "Casual", limits: { depth: 3, time: 1000 } },
  { name: "Quick", limits: { time: 300 } },
  { name: "Normal", limits: { time: 1000 } },
  { name: "Strong", limits: { time: 4000 } },
  { name: "Very strong", limits: { time: 15000 } },
];

const USUAL: Settings = { players: { white: "person", black: "computer" }, level: 3, clock: null, threads: 1, lines: true };

function read<T>(key: string): T | null {
  try {
    return JSON.parse(localStorage.getItem(`multigame.${key}`) ?? "null") as T | null;
  } catch {
    return null;
  }
}

function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(`multigame.${key}`, JSON.stringify(value));
  } catch {
    // A browser that forbids storage forgets; nothing else is lost.
  }
}

export function settings(): Settings {
  return { ...USUAL, ...read<Partial<Settings>>("settings") };
}

export function saveSettings(change: Partial<Settings>): void {
  write("settings", { ...settings(), ...change });
}

/** Own rules, as they were left. */
export interface Draft {
  name: string;
  rules: string;
}

export const draft = {
  read: () => read<Draft>("draft"),
  write: (value: Draft) => write("draft", value),
};

/** The session of this window, so that reloading goes on with the same game and the same players. */
export interface Resumed {
  id: string;
  hash: string;
  players: Settings["players"];
}

export const resumed = {
  read(): Resumed | null {
    try {
      return JSON.parse(sessionStorage.getItem("multigame.session") ?? "null");
    } catch {
      return null;
    }
  },
  write(value: Resumed | null): void {
    try {
      sessionStorage.setItem("multigame.session", JSON.stringify(value));
    } catch {
      // As above.
    }
  },
};

type Theme = "light" | "dark";

function preferred(): Theme {
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

export function currentTheme(): Theme {
  return read<Theme>("theme") ?? preferred();
}

export function applyTheme(): void {
  document.documentElement.dataset.theme = currentTheme();
}

export function toggleTheme(): void {
  const next = currentTheme() === "dark" ? "light" : "dark";
  write("theme", next === preferred() ? null : next);
  applyTheme();
}
