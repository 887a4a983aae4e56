// The page that `multigame serve` shows.

import { begin } from "./main.ts";
import { server } from "./server.ts";

begin({ transport: server, editor: () => import("./editor/editor.ts") });
