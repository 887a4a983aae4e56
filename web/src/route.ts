// Addresses within the page: everything that a link carries stands after the `#`.

export type Route =
  | { view: "games" }
  | { view: "play"; game: string; parameters: Record<string, number>; position?: string }
  | { view: "own"; rules?: string; position?: string }
  | { view: "write"; game?: string };

export async function parseRoute(hash: string): Promise<Route> {
  const [path, query = ""] = hash.replace(/^#/, "").split("?", 2);
  const [view, name] = path.split("/").map(decodeURIComponent);
  const values = new URLSearchParams(query);
  const position = values.get("position") ?? undefined;
  if (view === "play" && name) {
    const chosen = values.getAll("set").map((entry) => entry.split("="));
    const parameters = Object.fromEntries(chosen.map(([key, value]) => [key, Number(value)]));
    return { view: "play", game: name, parameters, position };
  }
  if (view === "own") {
    const packed = values.get("rules");
    return { view: "own", rules: packed ? await unpack(packed) : undefined, position };
  }
  if (view === "write") return { view: "write", game: name };
  return { view: "games" };
}

export async function formatRoute(route: Route): Promise<string> {
  const values = new URLSearchParams();
  if (route.view === "play") {
    for (const [key, value] of Object.entries(route.parameters)) values.append("set", `${key}=${value}`);
    if (route.position) values.set("position", route.position);
    return `#play/${encodeURIComponent(route.game)}${values.size ? `?${values}` : ""}`;
  }
  if (route.view === "own") {
    if (route.rules) values.set("rules", await pack(route.rules));
    if (route.position) values.set("position", route.position);
    return `#own${values.size ? `?${values}` : ""}`;
  }
  if (route.view === "write") return route.game ? `#write/${encodeURIComponent(route.game)}` : "#write";
  return "#";
}

/** Rules are compressed, so that a link with them stays short. */
async function pack(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

async function unpack(text: string): Promise<string> {
  try {
    const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return await new Response(stream).text();
  } catch {
    throw new Error("the rules in this link cannot be read; is all of it there?");
  }
}
