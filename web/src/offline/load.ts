// Rules that the engine has turned into WebAssembly: their functions are added to the engine's own.

/** What new code needs of the engine. */
export interface Home {
  memory: WebAssembly.Memory;
  __indirect_function_table: WebAssembly.Table;
}

/** The function `load` of the engine: where the functions of a module begin in its table; 0 if there is no such module. */
export function loader(home: () => Home): (at: number, length: number) => number {
  return (at, length) => {
    const { memory, __indirect_function_table: table } = home();
    try {
      const module = new WebAssembly.Module(new Uint8Array(memory.buffer, at, length));
      const functions = Object.values(new WebAssembly.Instance(module, { engine: { memory, table } }).exports);
      const first = table.grow(functions.length);
      functions.forEach((code, number) => table.set(first + number, code));
      return first;
    } catch (failure) {
      console.warn(`the interpreter plays, because the browser did not take the code of the rules: ${failure}`);
      return 0;
    }
  };
}
