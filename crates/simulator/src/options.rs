//! The options of a simulated search, for everything that simulates.

use multigame_search::declared::parts;
use multigame_search::{Engine, Options, OptionsError};

/// Options that the simulated machine decides, and how people set them there.
const OF_THE_MACHINE: [(&str, &str); 2] = [("tt-size", "entries"), ("seed", "seed")];

/// The options of a simulated search with those of a text changed. The engine is another one only if the
/// text says so.
pub fn search_options(engine: Engine, text: &str) -> Result<Options, OptionsError> {
    let usual = Options { engine, depth_exact: true, evaluation_cache: 0, ..Options::default() };
    let options = usual.with_used(text, true)?;
    if !matches!(options.engine, Engine::AlphaBeta | Engine::NegaScout | Engine::Mtdf) {
        let engine = options.engine;
        let message = format!("`engine={engine}` is not simulated; use negascout, alphabeta or mtdf");
        return Err(OptionsError::new(message));
    }
    if options.lines > 1 {
        return Err(OptionsError::new("a simulated search has one line; leave `lines` out".into()));
    }
    for (name, _) in parts(text) {
        if let Some((_, own)) = OF_THE_MACHINE.iter().find(|(known, _)| *known == name) {
            return Err(OptionsError::new(format!(
                "option `{name}` belongs to the simulated machine; leave it out, or set `{own}` of the \
                 machine"
            )));
        }
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_are_not_simulated_are_refused() {
        let options = search_options(Engine::AlphaBeta, "killers=off").unwrap();
        assert!(options.depth_exact && !options.killers && options.engine == Engine::AlphaBeta);
        for (text, remedy) in [
            ("engine=dfpn", "use negascout"),
            ("lines=2", "leave `lines` out"),
            ("tt-size=8", "set `entries` of the machine"),
            ("seed=8", "set `seed` of the machine"),
            ("symmetry=off", "or use verdict"),
            ("etc,tt=off", "tt=on"),
        ] {
            let refused = search_options(Engine::NegaScout, text).unwrap_err().to_string();
            assert!(refused.contains(remedy), "{text}: {refused}");
        }
    }
}
