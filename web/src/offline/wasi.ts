// The little that the engine wants from a system: a clock and random numbers. It has no files and no network.

const NO_SUCH_FILE = 8;
const NOT_SUPPORTED = 52;

/** The functions of WASI (preview 1) that the engine imports; all others fail with "not supported". */
export function wasi(memory: () => WebAssembly.Memory): WebAssembly.ModuleImports {
  const view = () => new DataView(memory().buffer);
  const known: WebAssembly.ModuleImports = {
    clock_time_get(clock: number, _precision: bigint, at: number): number {
      const millis = clock === 0 ? Date.now() : performance.now();
      view().setBigUint64(at, BigInt(Math.round(millis * 1e6)), true);
      return 0;
    },
    random_get(at: number, length: number): number {
      crypto.getRandomValues(new Uint8Array(memory().buffer, at, length));
      return 0;
    },
    environ_sizes_get(count: number, size: number): number {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return 0;
    },
    environ_get: () => 0,
    sched_yield: () => 0,
    // The end of the list of folders.
    fd_prestat_get: () => NO_SUCH_FILE,
    /** Standard output and error go to the console: the message of a panic, at most. */
    fd_write(_file: number, parts: number, count: number, written: number): number {
      let text = "";
      let total = 0;
      for (let part = 0; part < count; part++) {
        const [start, length] = [view().getUint32(parts + 8 * part, true), view().getUint32(parts + 8 * part + 4, true)];
        text += new TextDecoder().decode(new Uint8Array(memory().buffer, start, length));
        total += length;
      }
      console.error(text.trimEnd());
      view().setUint32(written, total, true);
      return 0;
    },
    proc_exit(code: number): never {
      throw new Error(`the engine ended with ${code}`);
    },
  };
  return new Proxy(known, { get: (functions, name) => functions[name as string] ?? (() => NOT_SUPPORTED) });
}
