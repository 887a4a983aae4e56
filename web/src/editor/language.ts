// The Multigame language for the editor: colours, indentation, comments, brackets.

import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { tags } from "@lezer/highlight";

const DECLARATIONS = new Set(
  "players sides topology dimensions directions parameter pieces properties setup notation looks repetition evaluation abstractions".split(" "),
);

const STATEMENTS = new Set(
  ("apply as assert assign at backward by called count do down each either else find for greatest irreversible keep match move " +
    "moves no not nothing optionally or pick pickup points put putdown repeat replace rotate score step sum test times to " +
    "try turn up while infinity unhashed colour color").split(" "),
);

const RESULTS = new Set("win lose loss draw pass error forbidden".split(" "));

const PATTERNS = new Set("own opponent opponent's any empty field piece white black board player row column direction".split(" "));

const DIRECTIONS = new Set(
  "north northeast east southeast south southwest west northwest orthogonal diagonal alldir".split(" "),
);

interface Where {
  /** Whether a line has just begun: a name there, before `=`, is a rule's. */
  fresh: boolean;
}

/** Words have no look-ahead in the grammar worth following: colours go by the word alone. */
export const multigame = StreamLanguage.define<Where>({
  name: "multigame",
  startState: () => ({ fresh: true }),
  token(stream, where) {
    if (stream.sol()) where.fresh = true;
    if (stream.eatSpace()) return null;
    const fresh = where.fresh;
    where.fresh = false;
    if (stream.match(/^#.*/)) return "comment";
    if (stream.match(/^"[^"]*"?/)) return "string";
    if (stream.match(/^'[^']'/)) return "character";
    if (stream.match(/^\d+/)) return "number";
    if (stream.match(/^opponent's\b/)) return "modifier";
    const word = stream.match(/^[A-Za-z_][A-Za-z0-9_]*/) as RegExpMatchArray | null;
    if (!word) {
      stream.next();
      return stream.current().match(/[[\]{}()]/) ? "bracket" : stream.current() === "." ? "punctuation" : "operator";
    }
    const text = word[0];
    if (fresh && stream.indentation() === 0 && stream.match(/^\s*=(?!=)/, false) && !DECLARATIONS.has(text)) return "definition";
    if (fresh && DECLARATIONS.has(text)) return "declaration";
    if (RESULTS.has(text)) return "result";
    if (DIRECTIONS.has(text)) return "compass";
    if (PATTERNS.has(text)) return "modifier";
    if (STATEMENTS.has(text)) return "keyword";
    return "variableName";
  },
  languageData: { commentTokens: { line: "#" }, closeBrackets: { brackets: ["(", "[", "{", '"'] } },
  tokenTable: {
    definition: tags.definition(tags.variableName),
    declaration: tags.definitionKeyword,
    result: tags.atom,
    compass: tags.typeName,
    modifier: tags.modifier,
    character: tags.character,
  },
});

/** Colours are set by the style sheet, so that dark and light follow the page. */
export const colours = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.comment, class: "tok-comment" },
    { tag: [tags.string, tags.character], class: "tok-string" },
    { tag: tags.number, class: "tok-number" },
    { tag: tags.definition(tags.variableName), class: "tok-definition" },
    { tag: tags.definitionKeyword, class: "tok-declaration" },
    { tag: tags.atom, class: "tok-result" },
    { tag: tags.typeName, class: "tok-compass" },
    { tag: tags.modifier, class: "tok-modifier" },
    { tag: tags.keyword, class: "tok-keyword" },
  ]),
);
