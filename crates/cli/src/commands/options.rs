//! `multigame options`: what `--options` can set, as it is declared.

use std::io::Write;

use clap::Args;
use multigame_player::{Configuration, Described};
use multigame_search::Engine;
use serde_json::json;

use crate::output;

/// List the options of a search: what they can be set to, what they are, and what they do.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Only these options
    names: Vec<String>,
    /// Print JSON
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print the table of docs/options.md
    #[arg(long)]
    markdown: bool,
}

/// Prints the declarations.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let options = chosen(&arguments.names)?;
    if arguments.json {
        return output::json(&options.iter().map(to_json).collect::<Vec<_>>().into());
    }
    let mut out = std::io::stdout().lock();
    if arguments.markdown {
        writeln!(out, "| option | values | default | engines | what it does |\n|---|---|---|---|---|")?;
    }
    for option in &options {
        writeln!(out, "{}", if arguments.markdown { row(option) } else { text(option) })?;
    }
    Ok(())
}

/// The options with these names, or all.
fn chosen(names: &[String]) -> anyhow::Result<Vec<Described>> {
    let all = Configuration::described();
    if names.is_empty() {
        return Ok(all);
    }
    let find = |name: &String| {
        let found = all.iter().find(|option| option.name == name).cloned();
        found.ok_or_else(|| Configuration::unknown(name).into())
    };
    names.iter().map(find).collect()
}

fn default(option: &Described) -> String {
    match &option.playing {
        Some(playing) => format!("{}; {playing} in play", option.default),
        None => option.default.clone(),
    }
}

fn text(option: &Described) -> String {
    let Described { name, values, help, users, .. } = option;
    let default = default(option);
    format!("{name}={default}\n    {help}\n    values: {values}\n    engines: {users}")
}

fn row(option: &Described) -> String {
    let Described { name, values, help, users, .. } = option;
    format!("| `{name}` | {values} | {} | {users} | {help} |", default(option))
}

fn to_json(option: &Described) -> serde_json::Value {
    let names = |engines: &[Engine]| engines.iter().map(ToString::to_string).collect::<Vec<_>>();
    json!({
        "name": option.name, "values": option.values, "default": option.default, "playing": option.playing,
        "engines": names(option.engines), "team": names(option.team), "help": option.help,
    })
}
