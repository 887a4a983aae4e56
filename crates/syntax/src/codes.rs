//! Every diagnostic of this crate by its code.

/// Code and explanation of every error that [`crate::parse`] gives.
pub const CODES: &[(&str, &str)] = &[
    // Characters and tokens.
    ("empty-symbol", "error: there is no character between the quotes of a symbol"),
    ("file-too-large", "error: the text is longer than a mebibyte"),
    ("foreign-comment", "error: a comment begins with `//` or `/*` and not with `#`"),
    ("long-symbol", "error: there are several characters between the quotes of a symbol"),
    ("name-character", "error: a name contains other characters than letters a-z, digits and `_`"),
    ("number-too-large", "error: a number does not fit into 64 bits"),
    ("opponents-apostrophe", "error: `opponent's` without its apostrophe, or with it in the wrong place"),
    ("typographic-character", "error: a word processor's quote, dash or the like in place of a plain one"),
    ("unclosed-string", "error: a string does not end on its line"),
    ("unclosed-symbol", "error: a single quote that begins no symbol"),
    ("unknown-character", "error: a character that is in no token"),
    // Rules and declarations.
    ("blank-in-name", "error: a rule's name is written with blanks"),
    ("expected-item", "error: something that is neither a rule nor a declaration"),
    ("expected-name", "error: a name is missing"),
    ("missing-full-stop", "error: a rule does not end with `.`"),
    ("reserved-word", "error: a word of the language is used as a name"),
    ("stray-full-stop", "error: a full stop that ends no rule"),
    ("unknown-declaration", "error: there is no declaration of that name"),
    // Lists in braces.
    ("expected-entry", "error: a list contains something that does not belong there"),
    ("expected-symbol", "error: a piece without symbol"),
    ("separator-in-block", "error: entries of a list are separated by blanks or line ends only"),
    ("too-many-strings", "error: a piece's looks have more than two strings"),
    ("too-many-symbols", "error: a piece has more than two symbols"),
    ("unclosed-brace", "error: a list without `}`"),
    // Statements and patterns.
    ("call-arguments", "error: a rule is called with other arguments than it has parameters"),
    ("comma-in-pattern", "error: alternatives of a pattern are separated by `,` and not by `or`"),
    ("empty-brackets", "error: there is nothing between `[` and `]`"),
    ("expected-angle", "error: `turn` without a number"),
    ("expected-pattern", "error: a pattern is missing"),
    ("expected-separator", "error: something stands between two statements"),
    ("expected-statement", "error: a statement is missing"),
    ("full-stop-in-bracket", "error: a full stop before the bracket is closed"),
    ("missing-comma", "error: no comma between two statements"),
    ("semicolon", "error: a semicolon in place of a comma"),
    ("stray-word", "error: `or`, `else` or `times` without what it belongs to"),
    ("unclosed-bracket", "error: a `[` without `]`"),
    ("unopened-bracket", "error: a closing bracket without an opening one"),
    ("which-field", "error: `field` alone is not a pattern"),
    ("whose-piece", "error: `piece` alone is not a pattern"),
    // Expressions.
    ("assignment-target", "error: something other than a variable is assigned to"),
    ("expected-expression", "error: an expression is missing"),
    ("step-target", "error: `++` or `--` beside something other than a variable"),
    ("unclosed-parenthesis", "error: a `(` without `)`"),
    // Anywhere.
    ("expected-token", "error: a sign such as `=` or `:` is missing"),
    ("expected-word", "error: a word that must follow is missing or misspelled"),
    ("nested-too-deeply", "error: brackets or operators are nested too deeply"),
    ("too-many-errors", "error: the errors after the first two hundred are not shown"),
    ("unknown-word", "error: a word is misspelled, or not possible here"),
];
