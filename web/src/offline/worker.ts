// A web worker with an engine: wishes come as messages and are done one after the other.

import { type Home, loader } from "./load.ts";
import { wasi } from "./wasi.ts";

interface Exports extends Home {
  _initialize?(): void;
  room(length: number): number;
  wish(): void;
}

export type ToWorker = { module: WebAssembly.Module } | { number: number; wish: string };
export type FromWorker = { number: number; ok: boolean; body: string } | { event: string; data: string } | { broken: string };

// TypeScript's own types are those of a window.
const scope = self as unknown as { postMessage(message: FromWorker): void; onmessage: ((event: MessageEvent<ToWorker>) => void) | null };
let engine: Exports | null = null;
let number = 0;

function text(start: number, length: number): string {
  return new TextDecoder().decode(new Uint8Array(engine!.memory.buffer, start, length));
}

function start(module: WebAssembly.Module): void {
  const page = {
    answered: (ok: number, at: number, length: number) => scope.postMessage({ number, ok: ok !== 0, body: text(at, length) }),
    happened: (name: number, nameLength: number, at: number, length: number) =>
      scope.postMessage({ event: text(name, nameLength), data: text(at, length) }),
  };
  const imports = { page, engine: { load: loader(() => engine!) }, wasi_snapshot_preview1: wasi(() => engine!.memory) };
  engine = new WebAssembly.Instance(module, imports).exports as unknown as Exports;
  engine._initialize?.();
}

function wish(words: string): void {
  const bytes = new TextEncoder().encode(words);
  const room = engine!.room(bytes.length);
  new Uint8Array(engine!.memory.buffer, room, bytes.length).set(bytes);
  engine!.wish();
}

scope.onmessage = ({ data }) => {
  try {
    if ("module" in data) return start(data.module);
    number = data.number;
    wish(data.wish);
  } catch (failure) {
    scope.postMessage({ broken: String(failure) });
  }
};
