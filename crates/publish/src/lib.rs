//! Games as web pages that need no server: one file with one game, or a site with the gallery, all games and the
//! editor.
//!
//! The pages are those of `web`, built with an engine inside (`crates/browser` as WebAssembly) in place of the way to
//! a server.

mod letters;
mod weights;

use std::collections::BTreeMap;
use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use multigame_library::{beside, libraries, library};
use multigame_session::{Rules, shelf};
use serde::Serialize;

use crate::letters::letters;

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The engine, compressed.
const ENGINE: &str = "engine.wasm.lzma";

/// The file that says to which family a game belongs.
const KNOWN: &str = "known.toml";

/// A file of a site.
#[derive(Debug)]
pub struct File {
    /// Its path in the folder of the site, with `/`.
    pub path: String,
    /// What is in it.
    pub content: Vec<u8>,
}

/// A part of the page that the program should have; which one is missing if it does not.
#[derive(Debug)]
pub struct Missing(pub String);

/// What a page knows about its game.
#[derive(Serialize)]
struct Packed<'r> {
    rules: &'r Rules,
    /// The rules that it is based on and the libraries that it uses, by their path.
    shelf: BTreeMap<String, String>,
}

/// One file with one game; `own` are the libraries beside its rules. The rules have to be without errors.
pub fn page(rules: &Rules, own: &BTreeMap<String, String>, title: &str) -> Result<String, Missing> {
    let mut texts = shelf(&rules.text);
    texts.extend(own.values().flat_map(|text| shelf(text)));
    texts.extend(own.iter().map(|(name, text)| (library_path(name), text.clone())));
    let icon = STANDARD.encode(shared("icon.svg")?);
    let values = [
        ("<title>Multigame</title>", format!("<title>{}</title>", escaped(title))),
        ("{icon}", format!("data:image/svg+xml;base64,{icon}")),
        ("{style}", text(shared("style.css")?)),
        ("{name}", escaped(&rules.name)),
        ("{rules}", letters(&zipped(&packed(rules, texts)))),
        ("{engine}", letters(&offline(ENGINE)?)),
        ("{page}", text(offline("game.js")?)),
    ];
    let mut rest = text(offline("game.html")?);
    let mut page = String::new();
    // Inserted text is not looked at again: scripts have braces, too.
    for (place, value) in values {
        let (before, after) =
            rest.split_once(place).ok_or_else(|| Missing(format!("{place} in game.html")))?;
        page.push_str(before);
        page.push_str(&value);
        rest = after.to_string();
    }
    page.push_str(&rest);
    Ok(page)
}

/// Rules with what they are based on as JSON, a byte that is 0, and the weights of their network.
fn packed(rules: &Rules, shelf: BTreeMap<String, String>) -> Vec<u8> {
    let apart = rules.network.as_deref().and_then(weights::apart);
    let (network, weights) = match apart {
        Some((network, weights)) => (Some(network), weights),
        None => (rules.network.clone(), Vec::new()),
    };
    let rules = Rules { network, ..rules.clone() };
    let mut packed = json(&Packed { rules: &rules, shelf }).into_bytes();
    packed.push(0);
    packed.extend(weights);
    packed
}

/// A site with these games.
pub fn site(games: &[Rules]) -> Result<Vec<File>, Missing> {
    let mut files = Vec::new();
    let mut add = |path: &str, content: Vec<u8>| files.push(File { path: path.to_string(), content });
    let index = text(shared("index.html")?).replace("page.js", "site.js");
    add("index.html", index.into_bytes());
    for name in ["style.css", "icon.svg"] {
        add(name, shared(name)?);
    }
    add(ENGINE, offline(ENGINE)?);
    let offline_files = FILES.iter().filter_map(|(path, _)| path.strip_prefix("offline/"));
    for path in offline_files.filter(|path| path.ends_with(".js") && *path != "game.js") {
        add(path, offline(path)?);
    }
    let mut all: BTreeMap<String, String> =
        games.iter().map(|rules| (format!("{}/rules.mg", rules.name), rules.text.clone())).collect();
    all.extend(libraries().iter().filter_map(|name| Some((library_path(name), library(name)?))));
    let known = games.iter().filter_map(|rules| Some((rules, beside(&rules.name, KNOWN)?)));
    all.extend(known.map(|(rules, text)| (format!("{}/{KNOWN}", rules.name), text)));
    add("games.json", json(&all).into_bytes());
    for rules in games {
        add(&format!("games/{}.json", rules.name), json(rules).into_bytes());
    }
    Ok(files)
}

/// The path of a library's text.
fn library_path(name: &str) -> String {
    format!("libraries/{name}.mg")
}

/// A file of the folder that pages without a server are built in.
fn offline(path: &str) -> Result<Vec<u8>, Missing> {
    file(&format!("offline/{path}"))
}

/// A file of the server's page.
fn shared(path: &str) -> Result<Vec<u8>, Missing> {
    file(&format!("dist/{path}"))
}

fn file(path: &str) -> Result<Vec<u8>, Missing> {
    let found = FILES.iter().find(|(known, _)| *known == path);
    found.map(|(_, content)| content.to_vec()).ok_or_else(|| Missing(format!("web/{path}")))
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8_lossy(&bytes).into_owned()
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("rules have string keys only")
}

fn zipped(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    // Writing to memory does not fail.
    let _ = encoder.write_all(content);
    encoder.finish().unwrap_or_default()
}

/// Text as it can be in HTML, also between quotes.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigame_session::rules_of;

    #[test]
    fn a_page_is_one_file_that_asks_for_nothing() {
        let rules = rules_of("connect-4").unwrap();
        let page =
            page(&Rules { name: "\"</script><b>".to_string(), ..rules }, &BTreeMap::new(), "A & B").unwrap();
        assert!(page.contains("<title>A &amp; B</title>"));
        assert!(!page.contains("</script><b>"), "a name ends the element it is in");
        assert!(!page.contains(" src=\"") && !page.contains("{engine}"), "something is not inside");
        assert!(page.len() < 1_500_000, "{} bytes", page.len());
    }

    #[test]
    fn a_site_has_all_that_its_index_names() {
        let games = [rules_of("chess").unwrap(), rules_of("hex").unwrap()];
        let files = site(&games).unwrap();
        let file = |path: &str| files.iter().find(|file| file.path == path);
        let index = text(file("index.html").unwrap().content.clone());
        for name in ["style.css", "site.js", "icon.svg"] {
            assert!(index.contains(name) && file(name).is_some(), "{name}");
        }
        assert!(file(ENGINE).is_some() && file("games/chess.json").is_some() && file("game.js").is_none());
        let rules: Rules = serde_json::from_slice(&file("games/hex.json").unwrap().content).unwrap();
        assert_eq!(rules, games[1]);
    }
}
