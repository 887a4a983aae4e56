//! The texts that the editor has open, and what is known about each of them.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gen_lsp_types::{Range, TextDocumentContentChangeEvent};
use multigame_compiler::Compilation;
use multigame_ide::effects::Effects;
use multigame_ide::hints::{self, Runs};
use multigame_ide::{Edit, Rules};
use multigame_loader::{Source, compile};
use multigame_syntax::Span;

use crate::positions::{Encoding, Lines};
use crate::uri;

/// What a game is called that has no file.
const UNSAVED: &str = "game";

/// An open text. Everything but text and version is computed when it is asked for and forgotten with the next
/// change.
#[derive(Debug)]
pub struct Document {
    /// Its address, as the editor writes it.
    pub uri: String,
    /// The version, which the editor counts.
    pub version: i32,
    /// The text.
    pub text: String,
    /// The lines.
    pub lines: Lines,
    /// Its file with what is beside it, without the text.
    source: Source,
    known: Known,
}

#[derive(Debug, Default)]
struct Known {
    rules: OnceCell<Rules>,
    effects: OnceCell<Option<Effects>>,
    compiled: OnceCell<Compilation>,
    runs: OnceCell<Option<Runs>>,
}

impl Document {
    /// A text that was just opened.
    pub fn new(uri: String, version: i32, text: String) -> Document {
        let source = beside(&uri);
        Document { lines: Lines::new(&text), uri, version, text, source, known: Known::default() }
    }

    /// Its file.
    pub fn path(&self) -> Option<PathBuf> {
        uri::path(&self.uri)
    }

    /// Looks again at what is beside the file.
    pub fn saved(&mut self) {
        self.source = beside(&self.uri);
        self.known = Known::default();
    }

    /// Changes the text, one change after the other.
    pub fn change(&mut self, changes: Vec<TextDocumentContentChangeEvent>, encoding: Encoding) {
        for change in changes {
            match change {
                TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part) => {
                    let span = self.lines.span(&self.text, part.range, encoding);
                    self.text.replace_range(span.start as usize..span.end as usize, &part.text);
                }
                TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole) => {
                    self.text = whole.text;
                }
            }
            self.lines = Lines::new(&self.text);
        }
        self.known = Known::default();
    }

    /// The names in the text and in those it is based on.
    pub fn rules(&self) -> &Rules {
        self.known.rules.get_or_init(|| Rules::new(&self.source.name, &self.text))
    }

    /// What its rules may do; nothing if it has errors.
    pub fn effects(&self) -> Option<&Effects> {
        self.known.effects.get_or_init(|| hints::effects(self.rules())).as_ref()
    }

    /// What `multigame check` says about it, and its program.
    pub fn compiled(&self) -> &Compilation {
        self.known.compiled.get_or_init(|| self.compile(self.text.clone()))
    }

    /// What `multigame check` would say about it with changes.
    pub fn compiled_with(&self, edits: &[Edit]) -> Compilation {
        self.compile(multigame_ide::apply(&self.text, edits))
    }

    fn compile(&self, text: String) -> Compilation {
        compile(&Source { text, ..self.source.clone() }, &[])
    }

    /// What runs it, if that is known yet.
    pub fn runs(&self) -> Option<&Option<Runs>> {
        self.known.runs.get()
    }

    /// Notes what runs it.
    pub fn set_runs(&self, runs: Option<Runs>) {
        // Known already is as good.
        let _ = self.known.runs.set(runs);
    }

    /// A place as the editor counts.
    pub fn range(&self, span: Span, encoding: Encoding) -> Range {
        self.lines.range(&self.text, span, encoding)
    }
}

/// The file of an address, with what is beside it and without its text.
fn beside(uri: &str) -> Source {
    let unsaved = || Source::of_text(uri.to_string(), UNSAVED.to_string(), String::new());
    let Some(path) = uri::path(uri) else { return unsaved() };
    // `multigame check` reports files that cannot be read; here rules are about to be written.
    let name = multigame_loader::game_name(&path);
    Source::at(&path, String::new()).unwrap_or_else(|_| Source::of_text(uri.to_string(), name, String::new()))
}

/// All open texts.
#[derive(Debug, Default)]
pub struct Documents {
    open: BTreeMap<String, Document>,
}

impl Documents {
    /// Adds or replaces one.
    pub fn open(&mut self, document: Document) {
        self.open.insert(document.uri.clone(), document);
    }

    /// Forgets one.
    pub fn close(&mut self, uri: &str) {
        self.open.remove(uri);
    }

    /// The one at an address.
    pub fn get(&self, uri: &str) -> Option<&Document> {
        self.open.get(uri)
    }

    /// The one at an address, to change it.
    pub fn get_mut(&mut self, uri: &str) -> Option<&mut Document> {
        self.open.get_mut(uri)
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &Document> {
        self.open.values()
    }

    /// The one of a file.
    pub fn of_path(&self, path: &Path) -> Option<&Document> {
        self.all().find(|document| document.path().as_deref() == Some(path))
    }
}
