//! What editor and server can do.

use gen_lsp_types::InitializeParams;
use multigame_ide::NameKind;
use multigame_ide::lenses::Action;
use multigame_ide::tokens::TokenKind;
use serde_json::{Value, json};

use crate::positions::Encoding;

/// What the editor can do.
#[derive(Clone, Copy, Debug, Default)]
pub struct Client {
    /// What its columns count.
    pub encoding: Encoding,
    /// Whether it fills in snippets.
    pub snippets: bool,
    /// Whether it runs the commands of lenses itself.
    pub runs_commands: bool,
}

impl Client {
    /// Reads what the editor says about itself.
    pub fn new(params: &InitializeParams) -> Client {
        let said = serde_json::to_value(&params.capabilities).unwrap_or_default();
        let encodings = said["general"]["positionEncodings"].as_array();
        let utf8 = encodings.is_some_and(|known| known.iter().any(|name| name == "utf-8"));
        let options = params.initialization_options.as_ref().unwrap_or(&Value::Null);
        let item = &said["textDocument"]["completion"]["completionItem"];
        Client {
            encoding: if utf8 { Encoding::Utf8 } else { Encoding::Utf16 },
            snippets: item["snippetSupport"] == true,
            runs_commands: options["commands"] == "client",
        }
    }

    /// What the server can do for it.
    pub fn answer(&self) -> Value {
        let encoding = if self.encoding == Encoding::Utf8 { "utf-8" } else { "utf-16" };
        let mut capabilities = json!({
            "positionEncoding": encoding,
            "textDocumentSync": {"openClose": true, "change": 2, "save": {"includeText": false}},
            "hoverProvider": true,
            "completionProvider": {},
            "signatureHelpProvider": {"triggerCharacters": ["(", "[", ","]},
            "definitionProvider": true,
            "referencesProvider": true,
            "documentHighlightProvider": true,
            "documentSymbolProvider": true,
            "workspaceSymbolProvider": true,
            "codeActionProvider": {"codeActionKinds": ["quickfix", "source.fixAll"]},
            "codeLensProvider": {},
            "documentFormattingProvider": true,
            "documentRangeFormattingProvider": true,
            "renameProvider": {"prepareProvider": true},
            "foldingRangeProvider": true,
            "selectionRangeProvider": true,
            "inlayHintProvider": true,
            "semanticTokensProvider": {"legend": legend(), "full": true, "range": true},
            "workspace": {"workspaceFolders": {"supported": true, "changeNotifications": true}},
        });
        if !self.runs_commands {
            capabilities["executeCommandProvider"] = json!({"commands": Action::COMMANDS});
        }
        json!({
            "capabilities": capabilities,
            "serverInfo": {"name": "multigame", "version": env!("CARGO_PKG_VERSION")},
        })
    }
}

/// The types of tokens, in the order of [`token_type`].
const TYPES: [&str; 14] = [
    "keyword",
    "comment",
    "string",
    "number",
    "operator",
    "function",
    "class",
    "property",
    "parameter",
    "enumMember",
    "type",
    "variable",
    "interface",
    "namespace",
];

fn legend() -> Value {
    json!({"tokenTypes": TYPES, "tokenModifiers": ["declaration"]})
}

/// The number of a kind of tokens in the legend.
pub fn token_type(kind: TokenKind) -> u32 {
    match kind {
        TokenKind::Keyword => 0,
        TokenKind::Comment => 1,
        TokenKind::Text => 2,
        TokenKind::Number => 3,
        TokenKind::Operator => 4,
        TokenKind::Name(NameKind::Rule) => 5,
        TokenKind::Name(NameKind::Piece | NameKind::Pattern) => 6,
        TokenKind::Name(NameKind::Property) => 7,
        TokenKind::Name(NameKind::Parameter | NameKind::Argument) => 8,
        TokenKind::Name(NameKind::Direction) => 9,
        TokenKind::Name(NameKind::Evaluation) => 10,
        TokenKind::Name(NameKind::Term) => 11,
        TokenKind::Name(NameKind::Abstraction) => 12,
        TokenKind::Name(NameKind::Game | NameKind::Library) => 13,
    }
}
