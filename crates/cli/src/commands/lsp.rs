//! `multigame lsp`: the language server, which editors start.

use clap::Args;

/// Help editors with rules: the language server.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Speak over standard input and output; this is so in any case, and many editors say it
    #[arg(long)]
    stdio: bool,
}

/// Serves the editor that started this program until it ends it.
pub fn run(Arguments { stdio: _ }: &Arguments) -> anyhow::Result<()> {
    multigame_lsp::serve(std::io::stdin(), std::io::stdout().lock())?;
    Ok(())
}
