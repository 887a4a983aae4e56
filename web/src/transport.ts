// How requests of docs/api.md reach whoever answers them: a server, or an engine inside of the page.

import type { Diagnostic } from "./api.ts";

/** An answer that is not what was asked for; the message is for people. */
export class ApiError extends Error {
  constructor(readonly code: string, message: string, readonly diagnostics: Diagnostic[] = []) {
    super(message);
  }

  /** From the body of a failure. */
  static of(body: unknown, code: string, message: string): ApiError {
    const answer = body as { error?: { code?: string; message?: string; diagnostics?: Diagnostic[] }; diagnostics?: Diagnostic[] } | null;
    const error = answer?.error ?? {};
    return new ApiError(error.code ?? code, error.message ?? message, error.diagnostics ?? answer?.diagnostics ?? []);
  }
}

/** Hears the events of a session. */
export type Hearer = (name: string, data: Record<string, unknown>) => void;

export interface Transport {
  /** The answer to a request; failures are `ApiError`s. */
  request(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<unknown>;
  /** Lets somebody hear a session, until the function that comes back is called. */
  listen(session: string, hear: Hearer): () => void;
}
