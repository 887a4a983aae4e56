//! `multigame options`: what `--options` can set, as it is declared.

use std::io::Write;

use clap::Args;
use multigame_player::{Configuration, Described};
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

fn engines(option: &Described) -> String {
    if option.engines.is_empty() {
        return "all".to_string();
    }
    option.engines.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn default(option: &Described) -> String {
    match &option.playing {
        Some(playing) => format!("{}; {playing} in play", option.default),
        None => option.default.clone(),
    }
}

fn text(option: &Described) -> String {
    let Described { name, values, help, .. } = option;
    let (default, engines) = (default(option), engines(option));
    format!("{name}={default}\n    {help}\n    values: {values}\n    engines: {engines}")
}

fn row(option: &Described) -> String {
    let Described { name, values, help, .. } = option;
    format!("| `{name}` | {values} | {} | {} | {help} |", default(option), engines(option))
}

fn to_json(option: &Described) -> serde_json::Value {
    json!({
        "name": option.name, "values": option.values, "default": option.default, "playing": option.playing,
        "engines": option.engines.iter().map(ToString::to_string).collect::<Vec<_>>(), "help": option.help,
    })
}
