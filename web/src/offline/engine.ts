// An engine in a web worker, and how it gets there.

import { ApiError } from "../transport.ts";
import { bytesOf } from "./letters.ts";
import { unpack } from "./lzma.ts";
import type { FromWorker, ToWorker } from "./worker.ts";

/** The text of `worker.ts`, put here by the build. */
declare const WORKER: string;

type Waiting = { resolve(body: unknown): void; reject(failure: ApiError): void };

let compiled: Promise<WebAssembly.Module> | undefined;

/** The engine's code: inside of the page, or beside it. */
function module(): Promise<WebAssembly.Module> {
  compiled ??= (async () => {
    const packed = document.getElementById("engine") ? packedInside("engine") : new Uint8Array(await beside());
    return WebAssembly.compile(await unpack(packed));
  })();
  return compiled;
}

/** The bytes in an element. */
function packedInside(id: string): Uint8Array<ArrayBuffer> {
  return bytesOf(document.getElementById(id)!.textContent!.trim());
}

/** What the page has packed in an element. */
export async function inside(id: string): Promise<Response> {
  return new Response(new Blob([packedInside(id)]).stream().pipeThrough(new DecompressionStream("gzip")));
}

async function beside(): Promise<ArrayBuffer> {
  const response = await fetch("engine.wasm.lzma").catch(() => null);
  if (!response?.ok) throw new ApiError("offline", "the engine cannot be loaded; a site has to be opened through a web server");
  return response.arrayBuffer();
}

/** One web worker. It does one wish at a time; whoever cannot wait ends it and starts another one. */
export class Engine {
  private readonly worker: Worker;
  private readonly ready: Promise<void>;
  private readonly waiting = new Map<number, Waiting>();
  private next = 1;

  constructor(texts: Record<string, string>, private readonly hear: (event: string, data: string) => void) {
    const address = URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" }));
    this.worker = new Worker(address);
    URL.revokeObjectURL(address);
    this.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.receive(data);
    this.worker.onerror = (event) => this.giveUp(event.message);
    this.ready = module().then((module) => {
      this.send({ module });
      // The answer has number 0, and nobody waits for it.
      this.send({ number: 0, wish: JSON.stringify({ shelf: texts }) });
    });
  }

  /** What the engine answers. */
  async wish(wish: unknown): Promise<unknown> {
    await this.ready;
    const number = this.next++;
    const answer = new Promise<unknown>((resolve, reject) => this.waiting.set(number, { resolve, reject }));
    this.send({ number, wish: JSON.stringify(wish) });
    return answer;
  }

  /** Ends it in the middle of whatever it does. */
  end(): void {
    this.worker.terminate();
    for (const { reject } of this.waiting.values()) reject(new ApiError("stopped", "the search was stopped"));
    this.waiting.clear();
  }

  private send(message: ToWorker): void {
    this.worker.postMessage(message);
  }

  private receive(message: FromWorker): void {
    if ("event" in message) return this.hear(message.event, message.data);
    if ("broken" in message) return this.giveUp(message.broken);
    const waiting = this.waiting.get(message.number);
    this.waiting.delete(message.number);
    const body = JSON.parse(message.body) as unknown;
    if (message.ok) waiting?.resolve(body);
    else waiting?.reject(ApiError.of(body, "failed", "the engine failed"));
  }

  private giveUp(reason: string): void {
    console.error(reason);
    for (const { reject } of this.waiting.values()) {
      reject(new ApiError("session-failed", "the engine broke down, perhaps for want of memory; start a new game"));
    }
    this.waiting.clear();
  }
}
