//! `multigame publish`: a game as one web page, or all games as a site; neither needs a server.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use multigame_loader::bundled;
use multigame_publish::{Missing, page, site};
use multigame_session::{Rules, rules_of};

use crate::{load, output};

/// Publish a game as a web page that works from a file, or all games as a site.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("what").required(true).args(["game", "site"]))]
pub struct Arguments {
    /// A bundled game or a path to an `.mg` file
    game: Option<String>,
    /// Set a parameter of the rules
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = load::parse_parameter, requires = "game")]
    parameters: Vec<(String, i64)>,
    /// Where to write the page; `GAME.html` in this folder if not given
    #[arg(short, long, value_name = "FILE", requires = "game")]
    output: Option<PathBuf>,
    /// Write a site with the gallery, all bundled games and the editor into this folder, for any web server
    #[arg(long, value_name = "FOLDER")]
    site: Option<PathBuf>,
}

/// Writes the page or the site.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    match (&arguments.site, &arguments.game) {
        (Some(folder), _) => write_site(folder),
        (None, Some(game)) => write_page(arguments, game),
        (None, None) => bail!("name a game, or a folder with `--site`"),
    }
}

fn write_page(arguments: &Arguments, game: &str) -> anyhow::Result<()> {
    let game = load::GameArguments {
        game: game.to_string(),
        parameters: arguments.parameters.clone(),
        backend: multigame_loader::Backend::Interp,
        weights_file: None,
    };
    // Rules with errors are shown here, not to those who open the page.
    let (source, _) = load::program(&game)?;
    let libraries = source.libraries();
    let text = |beside: Option<multigame_loader::Beside>| beside.map(|beside| beside.text);
    let rules = Rules {
        name: source.name.clone(),
        text: source.text,
        parameters: arguments.parameters.iter().cloned().collect(),
        weights: text(source.weights),
        patterns: text(source.patterns),
        network: text(source.network),
    };
    let file = arguments.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}.html", source.name)));
    let page = page(&rules, &libraries, &source.name).map_err(incomplete)?;
    output::write(&file, &page)?;
    let size = page.len().div_ceil(1024);
    writeln!(
        std::io::stderr(),
        "wrote `{}`, {size} KiB; open it in a browser, or send it to a friend",
        file.display()
    )?;
    Ok(())
}

fn write_site(folder: &Path) -> anyhow::Result<()> {
    let games: Result<Vec<Rules>, _> = bundled::names().iter().map(|name| rules_of(name)).collect();
    let files = site(&games?).map_err(incomplete)?;
    let count = files.len();
    for file in files {
        let path = folder.join(&file.path);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).with_context(|| {
                format!("cannot make the folder `{}`; choose another one", parent.display())
            })?;
        }
        multigame_files::write(&path, &file.content)?;
    }
    let folder = folder.display();
    writeln!(std::io::stderr(), "wrote {count} files to `{folder}`; any web server can show them")?;
    Ok(())
}

fn incomplete(Missing(part): Missing) -> anyhow::Error {
    anyhow::anyhow!("this program was built without `{part}`; build it from a complete copy of the sources")
}
