// A client of the language server, as small as it can be.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";

export class Client {
  constructor(program) {
    this.server = spawn(program, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
    this.ended = new Promise((resolve) => this.server.on("exit", resolve));
    this.waiting = new Map();
    this.number = 0;
    let bytes = Buffer.alloc(0);
    this.server.stdout.on("data", (part) => {
      bytes = Buffer.concat([bytes, part]);
      for (;;) {
        const head = bytes.indexOf("\r\n\r\n");
        const length = head < 0 ? NaN : Number(bytes.subarray(0, head).toString().match(/content-length: (\d+)/i)[1]);
        if (!(bytes.length >= head + 4 + length)) return;
        this.hear(JSON.parse(bytes.subarray(head + 4, head + 4 + length).toString()));
        bytes = bytes.subarray(head + 4 + length);
      }
    });
  }

  hear({ id, result, error }) {
    const waiting = id !== undefined && this.waiting.get(id);
    if (!waiting) return;
    this.waiting.delete(id);
    if (error) waiting.reject(new Error(error.message));
    else waiting.resolve(result);
  }

  send(message) {
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    this.server.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.server.stdin.write(body);
  }

  ask(method, params) {
    const id = ++this.number;
    this.send({ id, method, params });
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  async initialize() {
    const result = await this.ask("initialize", { processId: process.pid, rootUri: null, capabilities: {} });
    this.send({ method: "initialized", params: {} });
    return result;
  }

  open(uri, text) {
    this.send({ method: "textDocument/didOpen", params: { textDocument: { uri, languageId: "multigame", version: 1, text } } });
  }

  async end() {
    await this.ask("shutdown");
    this.send({ method: "exit" });
    assert.equal(await this.ended, 0);
  }
}
