//! Options that are declared once: name, kind, range, what they fit, help. Parsers, help texts, the reference
//! in the documentation and the settings of other programs are made from the declarations.

use super::{Engine, OptionsError};

/// An option of a `T`.
#[derive(Debug)]
pub struct Declaration<T: 'static> {
    /// What people write.
    pub name: &'static str,
    /// What can be set, and where it is kept.
    pub kind: Kind<T>,
    /// The engines that use it; none for those that are for every engine.
    pub engines: &'static [Engine],
    /// Engines that use it only together with several threads or processes.
    pub team: &'static [Engine],
    /// What it does.
    pub help: &'static str,
}

/// What an option can be set to.
#[derive(Debug)]
pub enum Kind<T: 'static> {
    /// `on` or `off`.
    Switch {
        /// Whether it is on.
        get: fn(&T) -> bool,
        /// Switches it.
        set: fn(&mut T, bool),
    },
    /// A whole number.
    Number {
        /// The smallest.
        least: u64,
        /// The greatest.
        most: u64,
        /// What is counted, if the name does not say it.
        unit: &'static str,
        /// The number.
        get: fn(&T) -> u64,
        /// Sets it to a number of the range.
        set: fn(&mut T, u64),
    },
    /// One of several names.
    Choice {
        /// The names.
        names: &'static [&'static str],
        /// The number of the name.
        get: fn(&T) -> usize,
        /// Sets it to the name of that number.
        set: fn(&mut T, usize),
    },
    /// A name that is read elsewhere.
    Named {
        /// What it may look like.
        form: &'static str,
        /// The name.
        get: fn(&T) -> String,
        /// Reads it.
        set: fn(&mut T, &str) -> Result<(), String>,
    },
}

/// The names of a list of choices.
pub const fn names_of<V: Copy, const N: usize>(choices: &[(&'static str, V); N]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut next = 0;
    while next < N {
        names[next] = choices[next].0;
        next += 1;
    }
    names
}

/// The number of a value in a list of choices.
pub fn index_of<V: PartialEq>(value: V, choices: &[(&'static str, V)]) -> usize {
    choices.iter().position(|(_, choice)| *choice == value).expect("all choices are listed")
}

const SWITCH: [&str; 2] = ["on", "off"];

impl<T> Declaration<T> {
    /// The value as text.
    pub fn get(&self, of: &T) -> String {
        match &self.kind {
            Kind::Switch { get, .. } => SWITCH[usize::from(!get(of))].to_string(),
            Kind::Number { get, .. } => get(of).to_string(),
            Kind::Choice { names, get, .. } => names[get(of)].to_string(),
            Kind::Named { get, .. } => get(of),
        }
    }

    /// Sets it from text.
    pub fn set(&self, of: &mut T, text: &str) -> Result<(), OptionsError> {
        match &self.kind {
            Kind::Switch { set, .. } => set(of, self.choose(text, &SWITCH)? == 0),
            Kind::Number { least, most, set, .. } => {
                let number = text.parse().ok().filter(|number| (least..=most).contains(&number));
                set(of, number.ok_or_else(|| self.out_of_range(text))?);
            }
            Kind::Choice { names, set, .. } => set(of, self.choose(text, names)?),
            Kind::Named { set, .. } => set(of, text).map_err(OptionsError::new)?,
        }
        Ok(())
    }

    /// Whether an engine uses it, on one thread, or in a team of several threads or processes.
    pub fn is_used(&self, engine: Engine, team: bool) -> bool {
        self.engines.is_empty() || self.engines.contains(&engine) || team && self.team.contains(&engine)
    }

    /// Refuses it for engines that do not use it.
    pub fn check_use(&self, engine: Engine, team: bool) -> Result<(), OptionsError> {
        if self.is_used(engine, team) {
            return Ok(());
        }
        let (name, threads) =
            (self.name, if self.team.contains(&engine) { ", or several threads" } else { "" });
        let engines = alternatives(self.engines.iter().map(ToString::to_string));
        Err(OptionsError::new(format!(
            "`engine={engine}` does not use option `{name}`; leave it out, or use {engines}{threads}"
        )))
    }

    /// The engines that use it, in words.
    pub fn users(&self) -> String {
        let names =
            |engines: &[Engine]| engines.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        match (self.engines, self.team) {
            ([], _) => "all".to_string(),
            (engines, []) => names(engines),
            (engines, team) => format!("{}; with several threads also {}", names(engines), names(team)),
        }
    }

    /// Whether the value is in its range, which code can leave.
    pub fn check(&self, of: &T) -> Result<(), OptionsError> {
        match &self.kind {
            Kind::Number { least, most, get, .. } if !(least..=most).contains(&&get(of)) => {
                Err(self.out_of_range(&get(of).to_string()))
            }
            _ => Ok(()),
        }
    }

    /// What it can be set to, in words.
    pub fn values(&self) -> String {
        match &self.kind {
            Kind::Switch { .. } => SWITCH.join(", "),
            Kind::Number { least, most, .. } if most - least == 2 => {
                format!("{least}, {} or {most}", least + 1)
            }
            Kind::Number { least, most, unit, .. } => {
                let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
                format!("{least}{unit} to {}{unit}", round(*most))
            }
            Kind::Choice { names, .. } => names.join(", "),
            Kind::Named { form, .. } => (*form).to_string(),
        }
    }

    /// The range of a number.
    pub fn range(&self) -> Option<(u64, u64)> {
        match self.kind {
            Kind::Number { least, most, .. } => Some((least, most)),
            _ => None,
        }
    }

    fn choose(&self, text: &str, names: &[&str]) -> Result<usize, OptionsError> {
        names.iter().position(|name| *name == text).ok_or_else(|| {
            OptionsError::new(format!("option `{}` cannot be `{text}`; use {}", self.name, names.join(", ")))
        })
    }

    fn out_of_range(&self, text: &str) -> OptionsError {
        let (name, values) = (self.name, self.values());
        OptionsError::new(format!("option `{name}` needs a number, {values}, not `{text}`"))
    }
}

/// `one, two or three`.
fn alternatives(names: impl Iterator<Item = String>) -> String {
    let names: Vec<String> = names.collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// A number as people write it: large powers of two by their exponents.
fn round(number: u64) -> String {
    match number {
        u64::MAX => "2^64 - 1".to_string(),
        _ if number.is_power_of_two() && number > 1 << 20 => format!("2^{}", number.ilog2()),
        _ => number.to_string(),
    }
}

/// The parts `name=value` of a text; a name alone switches on.
pub fn parts(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts
        .map(|part| part.split_once('=').unwrap_or((part, "on")))
        .map(|(name, value)| (name.trim(), value.trim()))
}

/// The error for an option that nobody declared.
pub fn unknown<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> OptionsError {
    let known: Vec<&str> = known.collect();
    OptionsError::new(format!("there is no option `{name}`; known are {}", known.join(", ")))
}
