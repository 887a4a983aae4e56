//! A scripted editor: every feature on every bundled game, and what must hold whatever an editor sends.

#![allow(clippy::print_stdout, reason = "a test says how long a key takes")]
#![allow(clippy::disallowed_methods, reason = "a test makes a folder with rules")]

use std::time::{Duration, Instant};

use gen_lsp_types as types;
use lsp_server::{Message, Notification, Request, RequestId, Response};
use multigame_lsp::{Encoding, Lines, Server};
use proptest::prelude::*;
use serde_json::{Value, json};

/// An editor with its server, which runs its jobs at once.
struct Editor {
    server: Server,
    number: i32,
    heard: Vec<Message>,
}

impl Editor {
    fn new() -> Editor {
        let mut editor = Editor { server: Server::new(), number: 0, heard: Vec::new() };
        let answer = editor.ask(
            "initialize",
            json!({"capabilities": {"textDocument": {
            "completion": {"completionItem": {"snippetSupport": true}}}}}),
        );
        let result: types::InitializeResult = serde_json::from_value(answer.unwrap()).unwrap();
        assert_eq!(result.server_info.unwrap().name, "multigame");
        editor.tell("initialized", json!({}));
        editor
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.server.push(Message::Notification(Notification { method: method.to_string(), params }));
        self.work();
    }

    /// Lets the server do everything that there is to do.
    fn work(&mut self) {
        while self.server.has_work() && self.server.ended().is_none() {
            self.server.step();
        }
        self.heard.extend(self.server.take_messages());
        let (sender, results) = std::sync::mpsc::channel();
        for job in self.server.take_jobs() {
            multigame_lsp::start::<multigame_lsp::Done>(job, sender.clone());
        }
        drop(sender);
        for done in results {
            self.server.done(done);
        }
        self.heard.extend(self.server.take_messages());
    }

    fn push(&mut self, method: &str, params: Value) -> RequestId {
        self.number += 1;
        let id = RequestId::from(self.number);
        self.server.push(Message::Request(Request { id: id.clone(), method: method.to_string(), params }));
        id
    }

    /// The one answer to a request.
    fn answer(&mut self, id: &RequestId) -> Result<Value, (i32, String)> {
        let is_it = |message: &Message| matches!(message, Message::Response(it) if it.id == *id);
        let place = self.heard.iter().position(is_it).expect("an answer");
        let Message::Response(Response { response_result, .. }) = self.heard.remove(place) else { panic!() };
        assert!(!self.heard.iter().any(is_it), "answered twice");
        response_result.map_err(|error| (error.code, error.message))
    }

    fn ask(&mut self, method: &str, params: Value) -> Result<Value, (i32, String)> {
        let id = self.push(method, params);
        self.work();
        self.answer(&id)
    }

    /// Asks for something whose result the protocol describes.
    fn get<R: types::Request>(&mut self, params: Value) -> R::Result {
        let value =
            self.ask(R::METHOD.as_str(), params).unwrap_or_else(|error| panic!("{}: {error:?}", R::METHOD));
        serde_json::from_value(value.clone())
            .unwrap_or_else(|error| panic!("{}: {error}: {value}", R::METHOD))
    }

    fn open(&mut self, uri: &str, text: &str) {
        let document = json!({"uri": uri, "languageId": "multigame", "version": 1, "text": text});
        self.tell("textDocument/didOpen", json!({"textDocument": document}));
    }

    /// The last diagnostics of a document, with their version.
    fn diagnostics(&mut self, uri: &str) -> types::PublishDiagnosticsParams {
        let all = self.heard.iter().rev().filter_map(|message| match message {
            Message::Notification(it) if it.method == "textDocument/publishDiagnostics" => Some(&it.params),
            _ => None,
        });
        let mut all = all.filter(|params| params["uri"] == uri);
        serde_json::from_value(all.next().expect("diagnostics").clone()).unwrap()
    }
}

fn at(uri: &str, position: types::Position) -> Value {
    json!({"textDocument": {"uri": uri}, "position": position})
}

/// Applies changes as an editor does, in units of UTF-16, without the code of the server.
fn edited(text: &str, edits: &[types::TextEdit]) -> String {
    let mut edits: Vec<&types::TextEdit> = edits.iter().collect();
    edits.sort_by_key(|edit| edit.range.start);
    let mut units: Vec<u16> = text.encode_utf16().collect();
    for edit in edits.into_iter().rev() {
        let (start, end) = (unit(&units, edit.range.start), unit(&units, edit.range.end));
        units.splice(start..end, edit.new_text.encode_utf16());
    }
    String::from_utf16(&units).unwrap()
}

/// The unit at a position that is in the text.
fn unit(units: &[u16], position: types::Position) -> usize {
    let mut start = 0;
    for _ in 0..position.line {
        start += units[start..].iter().position(|unit| *unit == 10).unwrap() + 1;
    }
    start + position.character as usize
}

#[test]
fn every_feature_answers_on_every_bundled_game() {
    let mut editor = Editor::new();
    for name in multigame_library::names() {
        let text = multigame_library::rules(&name).unwrap();
        let uri = format!("untitled:{name}");
        editor.open(&uri, &text);
        assert_eq!(editor.diagnostics(&uri).diagnostics, [], "{name}");
        let document = json!({"textDocument": {"uri": uri}});
        let lines = text.lines().count() as u32;
        let everything =
            json!({"start": {"line": 0, "character": 0}, "end": {"line": lines, "character": 0}});
        let in_all = json!({"textDocument": {"uri": uri}, "range": everything});
        let outline = editor.get::<types::DocumentSymbolRequest>(document.clone());
        let outline: Vec<types::DocumentSymbol> = serde_json::from_value(json!(outline)).unwrap();
        assert!(!outline.is_empty() || text.contains("based on"), "{name}");
        for symbol in outline.iter().step_by(5) {
            let place = at(&uri, symbol.selection_range.start);
            let hover = editor.get::<types::HoverRequest>(place.clone());
            assert!(json!(hover)["contents"]["value"].as_str().unwrap().contains(&symbol.name), "{name}");
            assert!(
                !json!(editor.get::<types::DefinitionRequest>(place.clone())).as_array().unwrap().is_empty()
            );
            let mut with_context = place.clone();
            with_context["context"] = json!({"includeDeclaration": true});
            let references = editor.get::<types::ReferencesRequest>(with_context).unwrap();
            assert!(
                references.iter().any(|it| it.range == symbol.selection_range),
                "{name}: {}",
                symbol.name
            );
            let highlights = editor.get::<types::DocumentHighlightRequest>(place.clone()).unwrap();
            assert!(highlights.len() <= references.len() && !highlights.is_empty());
            assert!(!json!(editor.get::<types::CompletionRequest>(place.clone())).is_null());
            editor.get::<types::SignatureHelpRequest>(place);
            let positions = json!({"textDocument": {"uri": uri}, "positions": [symbol.range.start]});
            assert_eq!(editor.get::<types::SelectionRangeRequest>(positions).unwrap().len(), 1);
        }
        let tokens = editor.get::<types::SemanticTokensRequest>(document.clone()).unwrap();
        let part = editor.get::<types::SemanticTokensRangeRequest>(in_all.clone()).unwrap();
        assert_eq!(tokens.data, part.data, "{name}");
        let written = text.lines().filter(|line| !line.trim().is_empty()).count();
        assert!(tokens.data.len() >= written, "{name}: a line has no token");
        editor.get::<types::FoldingRangeRequest>(document.clone());
        let mut format = document.clone();
        format["options"] = json!({"tabSize": 4, "insertSpaces": true});
        assert_eq!(editor.get::<types::DocumentFormattingRequest>(format.clone()).unwrap(), [], "{name}");
        format["range"] = everything.clone();
        assert_eq!(editor.get::<types::DocumentRangeFormattingRequest>(format).unwrap(), [], "{name}");
        let mut action = in_all.clone();
        action["context"] = json!({"diagnostics": []});
        assert_eq!(json!(editor.get::<types::CodeActionRequest>(action)), json!([]), "{name}");
        // Rules without a file cannot be run.
        assert_eq!(json!(editor.get::<types::CodeLensRequest>(document.clone())), json!([]), "{name}");
        editor.tell("textDocument/didClose", document);
        assert_eq!(editor.diagnostics(&uri).version, None);
    }
}

#[test]
fn a_renamed_rule_is_the_same_rule() {
    let mut editor = Editor::new();
    for name in ["tic-tac-toe", "awari", "checkers", "quarto", "hex", "n-puzzle"] {
        let text = multigame_library::rules(name).unwrap();
        let uri = format!("untitled:{name}");
        editor.open(&uri, &text);
        let outline = editor.get::<types::DocumentSymbolRequest>(json!({"textDocument": {"uri": uri}}));
        let outline: Vec<types::DocumentSymbol> = serde_json::from_value(json!(outline)).unwrap();
        for symbol in outline.iter().filter(|it| !matches!(it.name.as_str(), "main" | "goal" | "final")) {
            let place = at(&uri, symbol.selection_range.start);
            let prepared = json!(editor.get::<types::PrepareRenameRequest>(place.clone()));
            assert_eq!(prepared["placeholder"], symbol.name);
            let mut rename = place;
            // Programs know the places in their text, so the length has to stay.
            let new = "q".repeat(symbol.name.len());
            rename["newName"] = json!(new);
            let changes = editor.get::<types::RenameRequest>(rename).unwrap().changes.unwrap();
            let changed = edited(&text, changes.values().next().unwrap());
            let program = |text: &str| {
                let compiled = multigame_ide::diagnostics::check("g", text);
                multigame_ir::print(&compiled.program.expect("a program"))
            };
            let (before, after) = (program(&text), program(&changed));
            assert_ne!(changed, text);
            let same = |(a, b): (&str, &str)| a == b || b.contains(&new) && a.contains(&symbol.name);
            assert!(before.lines().zip(after.lines()).all(same), "{name}: {}", symbol.name);
            assert_eq!(before.lines().count(), after.lines().count(), "{name}: {}", symbol.name);
        }
    }
}

#[test]
fn errors_have_places_and_remedies() {
    let mut editor = Editor::new();
    let text = "# 😀 a game\ndimensions (3, 3)\nno moves = draw\npieces { mark 'X' 'O' mark 'Y' }\nmain = find emty field, replace by mrak. # ♔\n";
    editor.open("untitled:1", text);
    let found = editor.diagnostics("untitled:1").diagnostics;
    let related = found.iter().filter_map(|it| it.related_information.as_ref()).flatten();
    assert_eq!(related.map(|it| it.message.as_str()).collect::<Vec<_>>(), ["first declared here"]);
    let range = json!({"start": {"line": 4, "character": 0}, "end": {"line": 4, "character": 90}});
    let ask = |editor: &mut Editor, only: Value| {
        let params = json!({"textDocument": {"uri": "untitled:1"}, "range": range,
            "context": {"diagnostics": found, "only": only}});
        editor.ask("textDocument/codeAction", params).unwrap()
    };
    let actions = ask(&mut editor, json!(["quickfix"]));
    let titles: Vec<&str> =
        actions.as_array().unwrap().iter().map(|it| it["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["write `empty field`", "write `mark`"]);
    assert_eq!(actions[0]["diagnostics"].as_array().unwrap().len(), 1);
    let all = ask(&mut editor, json!(["source"]));
    let edits: Vec<types::TextEdit> =
        serde_json::from_value(all[0]["edit"]["changes"]["untitled:1"].clone()).unwrap();
    assert!(edited(text, &edits).contains("main = find empty field, replace by mark. # ♔"));
}

#[test]
fn rules_based_on_others_lead_to_them() {
    let folder = std::env::temp_dir().join(format!("multigame-lsp-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("games/chess")).unwrap();
    std::fs::create_dir_all(folder.join("games/three-check")).unwrap();
    for name in ["chess", "three-check"] {
        let text = multigame_library::rules(name).unwrap();
        std::fs::write(folder.join(format!("games/{name}/rules.mg")), text).unwrap();
    }
    let address = |name: &str| format!("file://{}/games/{name}/rules.mg", folder.display());
    let mut editor = Editor::new();
    let added = json!([{"uri": format!("file://{}", folder.display()), "name": "x"}]);
    editor.tell("workspace/didChangeWorkspaceFolders", json!({"event": {"added": added, "removed": []}}));
    let own = multigame_library::rules("three-check").unwrap();
    let uri = address("three-check");
    editor.open(&uri, &own);
    let lines = Lines::new(&own);
    let place = |text: &str, word: &str, lines: &Lines| {
        lines.position(text, text.find(word).unwrap() as u32 + 1, Encoding::Utf16)
    };
    let found = editor.ask("textDocument/definition", at(&uri, place(&own, "legal_move", &lines))).unwrap();
    assert_eq!(found[0]["uri"], json!(address("chess")), "{found}");
    let chess = multigame_library::rules("chess").unwrap();
    editor.open(&address("chess"), &chess);
    let mut params = at(&address("chess"), place(&chess, "legal_move", &Lines::new(&chess)));
    params["context"] = json!({"includeDeclaration": false});
    let used = editor.ask("textDocument/references", params).unwrap();
    assert!(used.as_array().unwrap().iter().any(|it| it["uri"] == json!(uri)), "{used}");
    let symbols = editor.ask("workspace/symbol", json!({"query": "cntchk"})).unwrap();
    assert_eq!(symbols[0]["name"], "count_check");
    let lenses = editor.ask("textDocument/codeLens", json!({"textDocument": {"uri": uri}})).unwrap();
    let commands: Vec<&str> =
        lenses.as_array().unwrap().iter().map(|lens| lens["command"]["command"].as_str().unwrap()).collect();
    assert_eq!(commands[..3], ["multigame.perft", "multigame.analyze", "multigame.coverage"]);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn hints_wait_for_what_runs_the_rules() {
    let mut editor = Editor::new();
    let text = multigame_library::rules("tic-tac-toe").unwrap();
    editor.open("untitled:1", &text);
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}});
    let params = json!({"textDocument": {"uri": "untitled:1"}, "range": range});
    let id = editor.push("textDocument/inlayHint", params.clone());
    editor.server.step();
    assert!(editor.server.take_messages().is_empty(), "answered before it is known what runs the rules");
    let cancel = Notification { method: "$/cancelRequest".to_string(), params: json!({"id": editor.number}) };
    editor.server.push(Message::Notification(cancel));
    editor.work();
    assert_eq!(editor.answer(&id).unwrap_err().0, -32800);
    let hints = editor.get::<types::InlayHintRequest>(params.clone()).unwrap();
    assert!(json!(hints[0])["label"].as_str().unwrap().ends_with("; machine code"), "{hints:?}");
    editor.open("untitled:1", "main = nowhere.");
    assert_eq!(json!(editor.get::<types::InlayHintRequest>(params)), json!([]));
}

#[test]
fn requests_are_cancelled_refused_and_survived() {
    let mut editor = Editor::new();
    editor.open("untitled:1", "main = step.");
    let params = at("untitled:1", types::Position { line: 0, character: 0 });
    let first = editor.push("textDocument/hover", params.clone());
    let second = editor.push("textDocument/hover", params);
    let cancel =
        Notification { method: "$/cancelRequest".to_string(), params: json!({"id": editor.number - 1}) };
    editor.server.push(Message::Notification(cancel));
    editor.work();
    assert_eq!(editor.answer(&first).unwrap_err().0, -32800);
    assert!(editor.answer(&second).is_ok());
    for (method, params, code) in [
        ("textDocument/nothing", json!({}), -32601),
        ("textDocument/hover", json!({}), -32602),
        ("textDocument/hover", json!(["x"]), -32602),
        ("textDocument/hover", at("untitled:2", types::Position { line: 0, character: 0 }), -32602),
        ("initialize", json!({"capabilities": {}}), -32601),
        ("workspace/executeCommand", json!({"command": "rm", "arguments": []}), -32803),
        ("textDocument/formatting", json!({"textDocument": {"uri": "untitled:1"}}), -32602),
    ] {
        assert_eq!(editor.ask(method, params).unwrap_err().0, code, "{method}");
    }
    editor.tell("textDocument/didChange", json!({"textDocument": {}}));
    editor.tell(
        "textDocument/didChange",
        json!({"textDocument": {"uri": "untitled:3", "version": 1}, "contentChanges": []}),
    );
    editor.tell("$/unknown", Value::Null);
    assert!(editor.ask("shutdown", Value::Null).unwrap().is_null());
    assert_eq!(editor.ask("textDocument/hover", json!({})).unwrap_err().0, -32600);
    editor.tell("exit", Value::Null);
    assert!(matches!(editor.server.ended(), Some(Ok(()))));
}

#[test]
fn nothing_is_answered_before_the_beginning() {
    let mut server = Server::new();
    let request =
        Request { id: RequestId::from(1), method: "textDocument/hover".to_string(), params: json!({}) };
    server.push(Message::Request(request));
    server.step();
    let Some(Message::Response(Response { response_result: Err(error), .. })) = server.take_messages().pop()
    else {
        panic!("an error")
    };
    assert_eq!(error.code, -32002);
    server.push(Message::Notification(Notification { method: "exit".to_string(), params: Value::Null }));
    server.step();
    assert!(matches!(server.ended(), Some(Err(_))));
}

/// Words that make sense somewhere, and some that make sense nowhere.
const PIECES: &[&str] = &[
    "main",
    " = ",
    "find ",
    "own ",
    "mark",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    ",",
    ".",
    "\n",
    "\r\n",
    "\r",
    "# x",
    "\"",
    "'X'",
    "either ",
    " or ",
    "repeat 2 times ",
    "based on chess\n",
    "pieces { a 'A' }\n",
    "😀",
    "é",
    "♔",
    " ",
    "..",
    "assert (row == 1)",
    "evaluation { a 1 : ",
    "properties { p : board : [0 .. 1] }\n",
    "\u{feff}",
    "\0",
    "opponent's ",
];

#[derive(Clone, Debug)]
struct Change {
    start: usize,
    length: usize,
    pieces: Vec<usize>,
    whole: bool,
}

fn change() -> impl Strategy<Value = Change> {
    let pieces = prop::collection::vec(0..PIECES.len(), 0..4);
    (any::<prop::sample::Index>(), 0..12usize, pieces, prop::bool::weighted(0.05))
        .prop_map(|(start, length, pieces, whole)| Change { start: start.index(4000), length, pieces, whole })
}

/// The position of a unit, by a line index of its own.
fn position(units: &[u16], place: usize) -> types::Position {
    let (mut line, mut start) = (0, 0);
    for at in 0..place {
        let ends = units[at] == 10 || units[at] == 13 && units.get(at + 1) != Some(&10);
        if ends {
            (line, start) = (line + 1, at + 1);
        }
    }
    types::Position { line, character: (place - start) as u32 }
}

/// A place that is not inside a character or a line end.
fn border(units: &[u16], place: usize) -> usize {
    let mut place = place.min(units.len());
    while place > 0
        && place < units.len()
        && ((0xDC00..0xE000).contains(&units[place]) || units[place] == 10 && units[place - 1] == 13)
    {
        place -= 1;
    }
    place
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever is typed where, the server has the text that the editor has, and answers.
    #[test]
    fn any_edits_are_survived(changes in prop::collection::vec(change(), 1..25), game in 0..50usize) {
        let names = multigame_library::names();
        let mut text = multigame_library::rules(&names[game % names.len()]).unwrap();
        let mut editor = Editor::new();
        editor.open("untitled:1", &text);
        for (number, change) in changes.iter().enumerate() {
            let mut units: Vec<u16> = text.encode_utf16().collect();
            let start = border(&units, change.start % (units.len() + 1));
            let end = border(&units, start + change.length).max(start);
            let new: String = change.pieces.iter().map(|piece| PIECES[*piece]).collect();
            let range = json!({"start": position(&units, start), "end": position(&units, end)});
            let content = if change.whole { json!({"text": new}) } else { json!({"range": range, "text": new}) };
            units.splice(if change.whole { 0..units.len() } else { start..end }, new.encode_utf16());
            text = String::from_utf16(&units).unwrap();
            let version = number + 2;
            editor.tell("textDocument/didChange", json!({
                "textDocument": {"uri": "untitled:1", "version": version}, "contentChanges": [content]}));
            prop_assert_eq!(&editor.server.documents().get("untitled:1").unwrap().text, &text);
            prop_assert_eq!(editor.diagnostics("untitled:1").version, Some(version as i32));
            let place = at("untitled:1", position(&text.encode_utf16().collect::<Vec<_>>(), start.min(text.encode_utf16().count())));
            for method in ["hover", "completion", "signatureHelp", "definition", "documentHighlight",
                "prepareRename", "foldingRange", "documentSymbol", "semanticTokens/full", "codeLens"] {
                let answer = editor.ask(&format!("textDocument/{method}"), place.clone());
                prop_assert!(answer.as_ref().err().is_none_or(|error| error.0 == -32803), "{method}: {answer:?}");
            }
            editor.heard.clear();
        }
    }
}

/// The time from a key to its diagnostics, of the longest rules there are. The figure is in docs/editors.md;
/// the bound is one for busy machines.
#[test]
fn a_key_is_checked_at_once() {
    let mut editor = Editor::new();
    let mut slowest = (Duration::ZERO, String::new());
    for name in ["chess", "shogi", "minishogi", "xiangqi", "crazyhouse"] {
        let text = multigame_library::rules(name).unwrap();
        let uri = format!("untitled:{name}");
        editor.open(&uri, &text);
        let mut times = Vec::new();
        for version in 2..12 {
            let range = json!({"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 0}});
            let begun = Instant::now();
            editor.tell(
                "textDocument/didChange",
                json!({"textDocument": {"uri": uri, "version": version},
                "contentChanges": [{"range": range, "text": " "}]}),
            );
            assert_eq!(editor.diagnostics(&uri).version, Some(version));
            times.push(begun.elapsed());
        }
        times.sort();
        println!("{name}: {:.1} ms", times[5].as_secs_f64() * 1000.0);
        slowest = slowest.max((times[5], name.to_string()));
    }
    assert!(slowest.0 < Duration::from_secs(2), "{slowest:?}");
}
