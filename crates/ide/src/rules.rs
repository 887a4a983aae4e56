//! One text of rules and those it is based on, read once for all questions about it.

use std::collections::HashSet;

use multigame_syntax::ast::{DeclarationKind, Program};
use multigame_syntax::{Parse, Span, parse};

use crate::names::{Collected, Declared, NameKind, Occurrence};
use crate::symbols::{Symbol, symbols};
use crate::tree::inside;

/// A text with its tree and its names.
#[derive(Clone, Debug)]
pub struct Source {
    /// The game's name.
    pub name: String,
    /// The rules.
    pub text: String,
    /// The tree.
    pub parse: Parse,
    /// Its names in the order of the text.
    pub occurrences: Vec<Occurrence>,
    /// What it declares, in the order of the text.
    pub symbols: Vec<Symbol>,
}

/// Where something is: in a text of [`Rules::sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The number of the text; 0 is the own text.
    pub source: usize,
    /// The place in it.
    pub span: Span,
}

/// A text of rules and those that it is based on.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The own text, then the one it is based on, then the one that is based on, and so on; then the bundled
    /// libraries that all these use.
    pub sources: Vec<Source>,
}

impl Rules {
    /// Reads a text. `name` is what the game is called.
    pub fn new(name: &str, text: &str) -> Rules {
        let mut texts = vec![(name.to_string(), text.to_string(), parse(text))];
        let mut met: HashSet<String> = HashSet::from([name.to_string()]);
        while let Some(base) = base_of(&texts[texts.len() - 1].2.program) {
            let Some(rules) = met.insert(base.clone()).then(|| multigame_library::rules(&base)).flatten()
            else {
                break;
            };
            let parse = parse(&rules);
            texts.push((base, rules, parse));
        }
        let mut read = 0;
        while let Some((_, _, parsed)) = texts.get(read) {
            for library in used_by(&parsed.program) {
                let path = library_path(&library);
                if let Some(text) = multigame_library::library(&library).filter(|_| met.insert(path.clone()))
                {
                    let parse = parse(&text);
                    texts.push((path, text, parse));
                }
            }
            read += 1;
        }
        let collected: Vec<Collected> =
            texts.iter().map(|(_, _, parse)| Collected::of(&parse.program)).collect();
        let mut declared = Declared::default();
        collected.iter().for_each(|names| declared.add(names));
        let sources = texts.into_iter().zip(collected).map(|((name, text, parse), names)| Source {
            occurrences: names.occurrences(&text, &declared),
            symbols: symbols(&parse.program, &text),
            name,
            text,
            parse,
        });
        Rules { sources: sources.collect() }
    }

    /// The own text.
    pub fn own(&self) -> &Source {
        &self.sources[0]
    }

    /// The names of the games that these rules are based on, the nearest first, then those of libraries.
    pub fn bases(&self) -> impl Iterator<Item = &str> {
        self.sources[1..].iter().map(|source| source.name.as_str())
    }

    /// A place of the own text, moved to one that there is.
    pub fn inside(&self, offset: u32) -> u32 {
        inside(&self.own().text, offset)
    }

    /// The name at a place of the own text.
    pub fn name_at(&self, offset: u32) -> Option<&Occurrence> {
        let names = &self.own().occurrences;
        names.iter().find(|name| name.span.start <= offset && offset <= name.span.end)
    }

    /// What the texts declare, each name of a kind once: what the own text says replaces what others say.
    pub fn symbols(&self) -> impl Iterator<Item = (usize, &Symbol)> {
        let mut met: HashSet<(NameKind, &str)> = HashSet::new();
        let all = self.sources.iter().enumerate();
        all.flat_map(|(number, source)| source.symbols.iter().map(move |symbol| (number, symbol)))
            .filter(move |(_, symbol)| met.insert((symbol.kind, &symbol.name)))
    }

    /// What is declared under a name.
    pub fn symbol(&self, kind: NameKind, name: &str) -> Option<(usize, &Symbol)> {
        let all = self.sources.iter().enumerate();
        all.flat_map(|(number, source)| source.symbols.iter().map(move |symbol| (number, symbol)))
            .find(|(_, symbol)| symbol.kind == kind && symbol.name == name)
    }
}

/// What the text of a bundled library is called among the texts.
pub fn library_path(name: &str) -> String {
    format!("libraries/{name}")
}

fn used_by(program: &Program) -> Vec<String> {
    let names = program.declarations.iter().filter_map(|declaration| match &declaration.kind {
        DeclarationKind::Uses(name) => Some(name.text.clone()),
        _ => None,
    });
    names.collect()
}

fn base_of(program: &Program) -> Option<String> {
    program.declarations.iter().find_map(|declaration| match &declaration.kind {
        DeclarationKind::BasedOn(name) => Some(name.text.clone()),
        _ => None,
    })
}
