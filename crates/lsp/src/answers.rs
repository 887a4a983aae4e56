//! From answers about rules to answers of the protocol.

use gen_lsp_types as types;
use lsp_server::ErrorCode;
use multigame_ide::completion::{self, ItemKind};
use multigame_ide::diagnostics::{all_fixes, edit, fixes};
use multigame_ide::lenses::{Action, lenses};
use multigame_ide::navigation;
use multigame_ide::symbols::Symbol;
use multigame_ide::{Edit, NameKind, Place, Rules};
use multigame_ide::{folding, formatting, hints, hover, rename, selection, signature, tokens};
use multigame_syntax::{Severity, Span};
use serde_json::{Value, json};

use crate::capabilities::{Client, token_type};
use crate::documents::{Document, Documents};
use crate::positions::{Encoding, Lines};
use crate::workspace::Workspace;

/// Symbols of a workspace that are worth sending.
const MOST_SYMBOLS: usize = 1000;

/// Why a request gets no result.
#[derive(Debug)]
pub struct Refusal {
    /// The protocol's number of the reason.
    pub code: ErrorCode,
    /// The reason.
    pub message: String,
}

impl Refusal {
    /// With this reason.
    pub fn new(code: ErrorCode, message: &str) -> Refusal {
        Refusal { code, message: message.to_string() }
    }

    /// The request is right but cannot be done.
    pub fn failed(message: &str) -> Refusal {
        Refusal::new(ErrorCode::RequestFailed, message)
    }

    /// The request is about a text that is not open.
    pub fn closed(uri: &str) -> Refusal {
        Refusal::new(ErrorCode::InvalidParams, &format!("`{uri}` is not open"))
    }
}

type Answer = Result<Value, Refusal>;

/// Everything that answers depend on.
pub struct World<'s> {
    /// What the editor can do.
    pub client: &'s Client,
    /// The open texts.
    pub documents: &'s Documents,
    /// The files around them.
    pub workspace: &'s Workspace,
}

/// What is wrong with a text.
pub fn diagnostics(document: &Document, encoding: Encoding) -> Vec<Value> {
    let range = |span| document.range(span, encoding);
    let all = document.compiled().diagnostics.iter();
    all.map(|diagnostic| {
        let related = diagnostic.related.iter().map(|label| {
            let location = json!({"uri": document.uri, "range": range(label.span)});
            json!({"location": location, "message": label.message})
        });
        let mut message = diagnostic.message.clone();
        for part in [&diagnostic.label].into_iter().chain(&diagnostic.help).filter(|part| !part.is_empty()) {
            message.push('\n');
            message.push_str(part);
        }
        json!({
            "range": range(diagnostic.span),
            "severity": if diagnostic.severity == Severity::Error { 1 } else { 2 },
            "code": diagnostic.code,
            "source": "multigame",
            "message": message,
            "relatedInformation": related.collect::<Vec<_>>(),
        })
    })
    .collect()
}

impl World<'_> {
    fn encoding(&self) -> Encoding {
        self.client.encoding
    }

    fn document(&self, document: &types::TextDocumentIdentifier) -> Result<&Document, Refusal> {
        self.documents.get(&document.uri.0).ok_or_else(|| Refusal::closed(&document.uri.0))
    }

    /// A text and a byte in it.
    fn place(&self, place: &types::TextDocumentPositionParams) -> Result<(&Document, u32), Refusal> {
        let document = self.document(&place.text_document)?;
        Ok((document, document.lines.offset(&document.text, place.position, self.encoding())))
    }

    fn span(&self, document: &Document, range: types::Range) -> Span {
        document.lines.span(&document.text, range, self.encoding())
    }

    fn edits(&self, document: &Document, edits: &[Edit]) -> Value {
        let edits = edits
            .iter()
            .map(|edit| json!({"range": document.range(edit.span, self.encoding()), "newText": edit.text}));
        edits.collect()
    }

    /// Help about a word.
    pub fn hover(&self, params: &types::HoverParams) -> Answer {
        let (document, offset) = self.place(&params.text_document_position_params)?;
        let Some(found) = hover::hover(document.rules(), offset, document.effects()) else {
            return Ok(Value::Null);
        };
        let entries = found.entries.iter().map(|entry| {
            let more = if entry.more.is_empty() { String::new() } else { format!("\n\n*{}*", entry.more) };
            format!("**{}** – {}\n\n{}{more}", found.word, entry.kind, entry.about)
        });
        let value = entries.collect::<Vec<_>>().join("\n\n---\n\n");
        Ok(json!({
            "contents": {"kind": "markdown", "value": value},
            "range": document.range(found.span, self.encoding()),
        }))
    }

    /// What can be written.
    pub fn completion(&self, params: &types::CompletionParams) -> Answer {
        let (document, offset) = self.place(&params.text_document_position_params)?;
        let found = completion::complete(document.rules(), offset);
        let range = document.range(found.span, self.encoding());
        let items = found.items.iter().enumerate().map(|(number, item)| {
            let is_snippet = self.client.snippets && item.snippet.contains('$');
            let text =
                if is_snippet { item.snippet.clone() } else { completion::without_places(&item.snippet) };
            json!({
                "label": item.label,
                "kind": completion_kind(item.kind),
                "detail": match item.kind {
                    ItemKind::Name(kind) => kind.word(),
                    ItemKind::Word => "",
                },
                "documentation": item.detail,
                "sortText": format!("{number:04}"),
                "insertTextFormat": if is_snippet { 2 } else { 1 },
                "textEdit": {"range": range, "newText": text},
            })
        });
        Ok(json!({"isIncomplete": false, "items": items.collect::<Vec<_>>()}))
    }

    /// What belongs between brackets.
    pub fn signature(&self, params: &types::SignatureHelpParams) -> Answer {
        let (document, offset) = self.place(&params.text_document_position_params)?;
        let Some(found) = signature::signature(document.rules(), offset) else { return Ok(Value::Null) };
        let parts = found.parts.iter().map(|(name, about)| json!({"label": name, "documentation": about}));
        let information = json!({
            "label": found.label,
            "documentation": found.about,
            "parameters": parts.collect::<Vec<_>>(),
        });
        Ok(json!({"signatures": [information], "activeSignature": 0, "activeParameter": found.active}))
    }

    /// Where a name is declared.
    pub fn definition(&self, params: &types::DefinitionParams) -> Answer {
        let (document, offset) = self.place(&params.text_document_position_params)?;
        let places = navigation::definition(document.rules(), offset);
        self.locations(document, &places)
    }

    /// Where a name is used, in this text, in those it is based on, and in files based on it.
    pub fn references(&self, params: &types::ReferenceParams) -> Answer {
        let (document, offset) = self.place(&params.text_document_position_params)?;
        let declarations = params.context.include_declaration;
        let rules = document.rules();
        let places = navigation::references(rules, offset, declarations);
        let mut locations = self.locations(document, &places)?;
        let (Some(name), Some(found)) = (rules.name_at(rules.inside(offset)), locations.as_array_mut())
        else {
            return Ok(locations);
        };
        self.for_each_other(document, |uri, other| {
            if !based_on(other, rules) {
                return;
            }
            let lines = Lines::new(&other.own().text);
            let same = other
                .own()
                .occurrences
                .iter()
                .filter(|it| name.names_the_same_elsewhere(it) && (declarations || !it.declares));
            for place in same {
                let range = lines.range(&other.own().text, place.span, self.encoding());
                found.push(json!({"uri": uri, "range": range}));
            }
        });
        Ok(locations)
    }

    /// The other texts, open ones first.
    fn for_each_other(&self, document: &Document, mut visit: impl FnMut(&str, &Rules)) {
        for other in self.documents.all().filter(|other| other.uri != document.uri) {
            visit(&other.uri, other.rules());
        }
        for (uri, rules) in self.workspace.closed(self.documents) {
            visit(&uri, &rules);
        }
    }

    fn locations(&self, document: &Document, places: &[Place]) -> Answer {
        let mut locations = Vec::new();
        for place in places {
            if place.source == 0 {
                let range = document.range(place.span, self.encoding());
                locations.push(json!({"uri": document.uri, "range": range}));
                continue;
            }
            let base = &document.rules().sources[place.source];
            let uri = self.workspace.bundled(self.documents, &base.name);
            let uri = uri.map_err(|message| Refusal::failed(&message))?;
            let range = Lines::new(&base.text).range(&base.text, place.span, self.encoding());
            locations.push(json!({"uri": uri, "range": range}));
        }
        Ok(Value::Array(locations))
    }

    /// The places of a name in this text.
    pub fn highlights(&self, params: &types::DocumentHighlightParams) -> Answer {
        let (document, offset) = self.place(&params.text_document_position_params)?;
        let found = navigation::highlights(document.rules(), offset).into_iter().map(|(span, declares)| {
            json!({"range": document.range(span, self.encoding()), "kind": if declares { 3 } else { 2 }})
        });
        Ok(found.collect())
    }

    /// What a text declares.
    pub fn outline(&self, params: &types::DocumentSymbolParams) -> Answer {
        let document = self.document(&params.text_document)?;
        let range = |span| document.range(span, self.encoding());
        let symbols = document.rules().own().symbols.iter().map(|symbol| {
            json!({
                "name": symbol.name,
                "detail": symbol.kind.word(),
                "kind": symbol_kind(symbol.kind),
                "range": range(symbol.whole.cover(symbol.span)),
                "selectionRange": range(symbol.span),
            })
        });
        Ok(symbols.collect())
    }

    /// What all texts declare.
    pub fn symbols(&self, params: &types::WorkspaceSymbolParams) -> Answer {
        let mut found = Vec::new();
        let mut add = |uri: &str, rules: &Rules| {
            let own = rules.own();
            let lines = Lines::new(&own.text);
            for symbol in own.symbols.iter().filter(|symbol| matches(symbol, &params.query)) {
                let range = lines.range(&own.text, symbol.span, self.encoding());
                found.push(json!({
                    "name": symbol.name,
                    "kind": symbol_kind(symbol.kind),
                    "containerName": own.name,
                    "location": {"uri": uri, "range": range},
                }));
            }
        };
        self.documents.all().for_each(|document| add(&document.uri, document.rules()));
        self.workspace.closed(self.documents).iter().for_each(|(uri, rules)| add(uri, rules));
        found.truncate(MOST_SYMBOLS);
        Ok(Value::Array(found))
    }

    /// The changes that mend what is wrong.
    pub fn actions(&self, params: &types::CodeActionParams) -> Answer {
        let document = self.document(&params.text_document)?;
        let found = &document.compiled().diagnostics;
        let change = |edits: &[Edit]| json!({"changes": {&document.uri: self.edits(document, edits)}});
        let wanted = |kind: &str| {
            let only = serde_json::to_value(&params.context.only).unwrap_or_default();
            let Some(only) = only.as_array() else { return true };
            only.iter().filter_map(Value::as_str).any(|it| kind == it || kind.starts_with(&format!("{it}.")))
        };
        let mut actions = Vec::new();
        if wanted("quickfix") {
            for (diagnostic, fix) in fixes(found, self.span(document, params.range)) {
                let range = json!(document.range(diagnostic.span, self.encoding()));
                let said = serde_json::to_value(&params.context.diagnostics).unwrap_or_default();
                let said: Vec<&Value> = said
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter(|it| it["range"] == range && it["code"] == diagnostic.code)
                    .collect();
                actions.push(json!({
                    "title": fix.message,
                    "kind": "quickfix",
                    "isPreferred": true,
                    "diagnostics": said,
                    "edit": change(&[edit(fix)]),
                }));
            }
        }
        let all = all_fixes(found);
        if wanted("source.fixAll") && !all.is_empty() {
            actions.push(json!({
                "title": "mend everything that has a remedy",
                "kind": "source.fixAll",
                "edit": change(&all),
            }));
        }
        Ok(Value::Array(actions))
    }

    /// What can be done with rules.
    pub fn lenses(&self, params: &types::CodeLensParams) -> Answer {
        let document = self.document(&params.text_document)?;
        let file = document.path().map(|path| path.display().to_string());
        // Commands read files: without one there is nothing to run.
        let Some(file) = file else { return Ok(json!([])) };
        let found = lenses(document.rules()).into_iter();
        let found = found.filter(|lens| self.client.runs_commands || lens.action != Action::Play);
        let lenses = found.map(|lens| {
            let mut argument = json!({"uri": document.uri, "arguments": lens.action.arguments(&file)});
            if let Action::Coverage(rule) = &lens.action {
                argument["rule"] = json!(rule);
            }
            let command =
                json!({"title": lens.title, "command": lens.action.command(), "arguments": [argument]});
            json!({"range": document.range(lens.span, self.encoding()), "command": command})
        });
        Ok(lenses.collect())
    }

    /// The usual form.
    pub fn format(&self, params: &types::DocumentFormattingParams) -> Answer {
        let document = self.document(&params.text_document)?;
        let edits = formatting::format(document.rules()).map_err(|message| Refusal::failed(&message))?;
        Ok(self.edits(document, &edits))
    }

    /// The usual form of a part.
    pub fn format_part(&self, params: &types::DocumentRangeFormattingParams) -> Answer {
        let document = self.document(&params.text_document)?;
        let part = self.span(document, params.range);
        let edits = formatting::format_part(document.rules(), part);
        Ok(self.edits(document, &edits.map_err(|message| Refusal::failed(&message))?))
    }

    /// Whether a name can be changed, and where it is.
    pub fn prepare_rename(&self, params: &types::PrepareRenameParams) -> Answer {
        let (document, offset) = self.place(&params.text_document_position_params)?;
        let name = rename::prepare(document.rules(), offset).map_err(|message| Refusal::failed(&message))?;
        Ok(json!({"range": document.range(name.span, self.encoding()), "placeholder": name.name}))
    }

    /// The changes that give something another name. Files beside the rules name things as well, so the
    /// result is checked with them.
    pub fn rename(&self, params: &types::RenameParams) -> Answer {
        let (document, offset) = self.place(&params.text_document_position_params)?;
        let edits = rename::rename(document.rules(), offset, &params.new_name);
        let edits = edits.map_err(|message| Refusal::failed(&message))?;
        let codes = |found: &[multigame_syntax::Diagnostic]| -> Vec<&str> {
            found.iter().map(|diagnostic| diagnostic.code).collect()
        };
        let after = document.compiled_with(&edits).diagnostics;
        let before = codes(&document.compiled().diagnostics);
        if let Some(new) =
            after.iter().find(|it| it.severity == Severity::Error && !before.contains(&it.code))
        {
            return Err(Refusal::failed(&format!(
                "with that name the rules would not work: {}",
                new.message
            )));
        }
        Ok(json!({"changes": {&document.uri: self.edits(document, &edits)}}))
    }

    /// What can be folded.
    pub fn folds(&self, params: &types::FoldingRangeParams) -> Answer {
        let document = self.document(&params.text_document)?;
        let folds = folding::folds(document.rules()).into_iter().map(|fold| {
            let range = document.range(fold.span, self.encoding());
            let mut value = json!({"startLine": range.start.line, "endLine": range.end.line});
            if fold.comment {
                value["kind"] = json!("comment");
            }
            value
        });
        Ok(folds.collect())
    }

    /// Ever larger parts around places.
    pub fn selections(&self, params: &types::SelectionRangeParams) -> Answer {
        let document = self.document(&params.text_document)?;
        let chains = params.positions.iter().map(|position| {
            let offset = document.lines.offset(&document.text, *position, self.encoding());
            let parts = selection::around(document.rules(), offset);
            let outermost_first = parts.into_iter().rev();
            let chain = outermost_first.fold(Value::Null, |parent, part| {
                let mut value = json!({"range": document.range(part, self.encoding())});
                if !parent.is_null() {
                    value["parent"] = parent;
                }
                value
            });
            if chain.is_null() { json!({"range": {"start": position, "end": position}}) } else { chain }
        });
        Ok(chains.collect())
    }

    /// The colours of all tokens.
    pub fn tokens(&self, params: &types::SemanticTokensParams) -> Answer {
        let document = self.document(&params.text_document)?;
        Ok(self.colours(document, Span::new(0, u32::MAX)))
    }

    /// The colours of the tokens in a part.
    pub fn tokens_of_part(&self, params: &types::SemanticTokensRangeParams) -> Answer {
        let document = self.document(&params.text_document)?;
        Ok(self.colours(document, self.span(document, params.range)))
    }

    /// Each token as the distance from the one before it; tokens of several lines in parts.
    fn colours(&self, document: &Document, part: Span) -> Value {
        let mut data: Vec<u32> = Vec::new();
        let mut last = types::Position { line: 0, character: 0 };
        for token in tokens::tokens(document.rules()) {
            if token.span.end < part.start || token.span.start > part.end {
                continue;
            }
            let text = &document.text[token.span.start as usize..token.span.end as usize];
            let mut start = token.span.start;
            for line in text.split_inclusive(['\n', '\r']) {
                let shown = line.trim_end_matches(['\n', '\r']);
                let length = self.encoding().length(shown);
                let at = document.lines.position(&document.text, start, self.encoding());
                start += line.len() as u32;
                if length == 0 {
                    continue;
                }
                let same_line = at.line == last.line;
                let character = if same_line { at.character - last.character } else { at.character };
                let kind = token_type(token.kind);
                data.extend([at.line - last.line, character, length, kind, u32::from(token.declares)]);
                last = at;
            }
        }
        json!({ "data": data })
    }

    /// What rules may do.
    pub fn hints(&self, uri: &str, range: types::Range) -> Answer {
        let document = self.documents.get(uri).ok_or_else(|| Refusal::closed(uri))?;
        let Some(effects) = document.effects() else { return Ok(json!([])) };
        let runs = document.runs().and_then(Option::as_ref);
        let part = self.span(document, range);
        let found = hints::hints(document.rules(), part, effects, runs).into_iter().map(|hint| {
            json!({
                "position": document.lines.position(&document.text, hint.offset, self.encoding()),
                "label": hint.label,
                "kind": 1,
                "tooltip": hint.tooltip,
            })
        });
        Ok(found.collect())
    }
}

/// Whether rules are based on the bundled game that these are: another text of the same name is not that
/// game.
fn based_on(rules: &Rules, base: &Rules) -> bool {
    let own = base.own();
    rules.sources.iter().skip(1).any(|source| source.name == own.name && source.text == own.text)
}

fn matches(symbol: &Symbol, query: &str) -> bool {
    let mut letters = symbol.name.chars().flat_map(char::to_lowercase);
    query.chars().flat_map(char::to_lowercase).all(|wanted| letters.any(|letter| letter == wanted))
}

fn symbol_kind(kind: NameKind) -> u32 {
    match kind {
        NameKind::Rule => 12,
        NameKind::Piece => 5,
        NameKind::Pattern => 23,
        NameKind::Property => 7,
        NameKind::Parameter | NameKind::Argument => 14,
        NameKind::Direction => 22,
        NameKind::Evaluation => 2,
        NameKind::Term => 13,
        NameKind::Abstraction => 11,
        NameKind::Game | NameKind::Library => 1,
    }
}

fn completion_kind(kind: ItemKind) -> u32 {
    match kind {
        ItemKind::Word => 14,
        ItemKind::Name(NameKind::Rule) => 3,
        ItemKind::Name(NameKind::Piece) => 7,
        ItemKind::Name(NameKind::Pattern) => 22,
        ItemKind::Name(NameKind::Property) => 10,
        ItemKind::Name(NameKind::Parameter) => 21,
        ItemKind::Name(NameKind::Argument) => 6,
        ItemKind::Name(NameKind::Direction) => 20,
        ItemKind::Name(NameKind::Game | NameKind::Library) => 9,
        ItemKind::Name(_) => 6,
    }
}
