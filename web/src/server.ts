// The way to a server: `multigame serve`. Addresses are relative: editors in a browser show the server below a path of
// their own.

import { ApiError, type Hearer, type Transport } from "./transport.ts";

const EVENTS = ["state", "progress", "thought", "evaluation", "evaluated", "simulating", "simulated", "failed", "closed"];

async function request(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<unknown> {
  const headers: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
  let response: Response;
  try {
    response = await fetch(`api${path}`, { method, headers, body: body === undefined ? undefined : JSON.stringify(body), signal });
  } catch (failure) {
    if (signal?.aborted) throw failure;
    throw new ApiError("offline", "the server does not answer; is `multigame serve` still running?");
  }
  const text = await response.text();
  const answer = read(text);
  if (!response.ok) throw ApiError.of(answer, String(response.status), response.statusText);
  return answer;
}

/** An answer as JSON; whatever is between this page and the server may answer in another way. */
function read(text: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ApiError("unreadable", `this is not the answer of a server of Multigame: ${text.slice(0, 100)}`);
  }
}

function listen(session: string, hear: Hearer): () => void {
  const source = new EventSource(`api/sessions/${session}/events`);
  for (const name of EVENTS) {
    source.addEventListener(name, (event) => hear(name, JSON.parse((event as MessageEvent<string>).data) as Record<string, unknown>));
  }
  return () => source.close();
}

export const server: Transport = { request, listen };
