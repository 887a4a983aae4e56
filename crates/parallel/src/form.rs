//! Where what is known about positions is kept, and which positions are worth a message: the forms of the
//! table and their settings, as text.
//!
//! ```text
//! hybrid:depth=3:tell=4:company=16:ahead=64:family=on
//! ```
//!
//! Real runs and the simulator read the same text.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Where the table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Form {
    /// All workers use one table in common memory.
    Shared,
    /// Each has its own, and nobody tells.
    Private,
    /// Everybody is told everything and asks nobody.
    Replicated,
    /// Each position has a home, which is asked and told.
    Partitioned,
    /// The same, but a worker asks its own table first, and the home only where that does not decide.
    Hybrid,
}

impl Form {
    /// The forms by name.
    pub const ALL: [(&'static str, Form); 5] = [
        ("shared", Form::Shared),
        ("private", Form::Private),
        ("replicated", Form::Replicated),
        ("partitioned", Form::Partitioned),
        ("hybrid", Form::Hybrid),
    ];

    /// Whether workers ask others.
    pub fn asks(self) -> bool {
        matches!(self, Form::Partitioned | Form::Hybrid)
    }

    /// Whether workers tell others.
    pub fn tells(self) -> bool {
        self.asks() || self == Form::Replicated
    }

    /// The settings that mean something.
    fn settings(self) -> &'static [&'static str] {
        match self {
            Form::Shared | Form::Private => &[],
            Form::Replicated => &["tell", "company"],
            Form::Partitioned | Form::Hybrid => &["depth", "tell", "company", "ahead", "family"],
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, _) = Form::ALL.iter().find(|(_, form)| form == self).expect("all forms are listed");
        f.write_str(name)
    }
}

/// A form of the table with its settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// Where the table is.
    pub form: Form,
    /// Least depth of positions whose home is asked: plies, or moves that are left in a puzzle. What is usual
    /// for the search if nothing is said.
    pub depth: Option<u32>,
    /// Least depth of positions that others are told about; as `depth` if nothing is said.
    pub tell: Option<u32>,
    /// Entries that travel together.
    pub company: usize,
    /// The home of the next child is asked while a child is searched. At most this many of these questions
    /// are remembered; 0 asks nothing ahead.
    pub ahead: usize,
    /// Whether a home is asked only about positions with a parent or grandparent that was known.
    pub family: bool,
}

impl Memory {
    /// One table for all.
    pub const SHARED: Memory = Memory::of(Form::Shared);
    /// A table for each.
    pub const PRIVATE: Memory = Memory::of(Form::Private);
    /// What is used where nothing else is said: every position has a home, which is asked where the own table
    /// does not decide.
    pub const USUAL: Memory = Memory::of(Form::Hybrid);

    /// A form with its usual settings.
    pub const fn of(form: Form) -> Memory {
        let company = if matches!(form, Form::Replicated) { 32 } else { 1 };
        Memory { form, depth: None, tell: None, company, ahead: 0, family: false }
    }

    /// The same with a least depth for questions and for what is told.
    pub const fn from_depth(self, depth: u32) -> Memory {
        match self.form {
            Form::Replicated => Memory { tell: Some(depth), ..self },
            _ => Memory { depth: Some(depth), ..self },
        }
    }

    /// The same with this many entries in company.
    pub const fn in_company(self, company: usize) -> Memory {
        Memory { company, ..self }
    }

    /// The same where everybody is told about positions of that depth, if nothing is said about it.
    pub(crate) const fn telling_from(self, depth: u32) -> Memory {
        match (self.form, self.tell) {
            (Form::Replicated, None) => Memory { tell: Some(depth), ..self },
            _ => self,
        }
    }

    /// The least depth of questions where `usual` is usual.
    pub(crate) fn asked_from(&self, usual: u32) -> u32 {
        self.depth.unwrap_or(usual)
    }

    /// The least depth of what is told where `usual` is usual.
    pub(crate) fn told_from(&self, usual: u32) -> u32 {
        self.tell.or(self.depth).unwrap_or(usual)
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let number = |least: u32, most: u32| {
            let number = value.parse().ok().filter(|number| (least..=most).contains(number));
            number.ok_or_else(|| {
                format!("`{name}={value}` is not possible; use a number from {least} to {most}")
            })
        };
        match name {
            "depth" => self.depth = Some(number(0, MOST_DEPTH)?),
            "tell" => self.tell = Some(number(0, MOST_DEPTH)?),
            "company" => self.company = number(1, MOST_COMPANY)? as usize,
            "ahead" => self.ahead = number(0, MOST_AHEAD)? as usize,
            _ => {
                self.family = match value {
                    "on" => true,
                    "off" => false,
                    _ => return Err(format!("`{name}={value}` is not possible; use `on` or `off`")),
                }
            }
        }
        Ok(())
    }
}

/// No search goes deeper.
const MOST_DEPTH: u32 = 255;
/// More entries do not fit into a message of reasonable size.
const MOST_COMPANY: u32 = 4096;
/// Questions are found again one after the other.
const MOST_AHEAD: u32 = 256;

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Memory::of(self.form);
        let on = |on: bool| if on { "on" } else { "off" }.to_string();
        let settings = [
            ("depth", self.depth.map(|depth| depth.to_string())),
            ("tell", self.tell.map(|depth| depth.to_string())),
            ("company", (self.company != usual.company).then(|| self.company.to_string())),
            ("ahead", (self.ahead != usual.ahead).then(|| self.ahead.to_string())),
            ("family", (self.family != usual.family).then(|| on(self.family))),
        ];
        write!(f, "{}", self.form)?;
        // Colons, because commas separate the options of a search, of which this is one.
        let set = settings.into_iter().filter_map(|(name, value)| Some((name, value?)));
        set.into_iter().try_for_each(|(name, value)| write!(f, ":{name}={value}"))
    }
}

/// A text that is not a form of the table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct MemoryError(String);

impl FromStr for Memory {
    type Err = MemoryError;

    /// A form, and perhaps settings: `hybrid`, or `hybrid:depth=3:company=16`.
    fn from_str(text: &str) -> Result<Memory, MemoryError> {
        let (name, settings) = text.split_once(':').map_or((text, None), |(name, rest)| (name, Some(rest)));
        let Some(&(_, form)) = Form::ALL.iter().find(|(known, _)| *known == name) else {
            let names = Form::ALL.map(|(name, _)| format!("`{name}`")).join(", ");
            return Err(MemoryError(format!("there is no memory `{name}`; known are {names}")));
        };
        let mut memory = Memory::of(form);
        let mut seen: Vec<&str> = Vec::new();
        for setting in settings.into_iter().flat_map(|settings| settings.split(':')) {
            let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
            let problem = if !form.settings().contains(&name) {
                Err(not_a_setting(form, setting))
            } else if seen.contains(&name) {
                Err(format!("`{name}` is set twice; set it once"))
            } else {
                memory.set(name, value)
            };
            problem.map_err(|problem| MemoryError(format!("memory `{text}`: {problem}")))?;
            seen.push(name);
        }
        Ok(memory)
    }
}

fn not_a_setting(form: Form, setting: &str) -> String {
    let known: Vec<String> = form.settings().iter().map(|name| format!("`{name}=`")).collect();
    match &known[..] {
        [] => format!("`{form}` has no settings; use `{form}` alone"),
        known => format!("`{setting}` is not a setting of `{form}`; use {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_and_texts_are_the_same() {
        for (name, form) in Form::ALL {
            assert_eq!(name.parse(), Ok(Memory::of(form)));
            assert_eq!(Memory::of(form).to_string(), name);
        }
        for text in [
            "hybrid:depth=3:company=16",
            "partitioned:depth=3:tell=4:company=16:ahead=64:family=on",
            "replicated:tell=0:company=4096",
            "hybrid:ahead=256",
        ] {
            assert_eq!(text.parse::<Memory>().unwrap().to_string(), text);
        }
        assert_eq!("hybrid:company=1:ahead=0:family=off".parse(), Ok(Memory::USUAL));
        assert_eq!("replicated:tell=3".parse(), Ok(Memory::of(Form::Replicated).from_depth(3)));
    }

    #[test]
    fn what_is_wrong_is_named_with_what_to_do() {
        let cases = [
            ("shard", "`shared`, `private`"),
            ("private:depth=3", "use `private` alone"),
            ("hybrid:3/16", "`3/16` is not a setting of `hybrid`; use `depth=`"),
            ("hybrid:", "`` is not a setting"),
            ("hybrid:depth=300", "a number from 0 to 255"),
            ("hybrid:depth=-1", "a number from 0 to 255"),
            ("hybrid:company=0", "a number from 1 to 4096"),
            ("hybrid:ahead=257", "a number from 0 to 256"),
            ("hybrid:family=yes", "use `on` or `off`"),
            ("hybrid:depth=1:depth=2", "set twice"),
            ("replicated:ahead=3", "use `tell=`, `company=`"),
        ];
        for (text, remedy) in cases {
            let error = text.parse::<Memory>().unwrap_err().to_string();
            assert!(error.contains(remedy), "{text}: {error}");
        }
    }

    #[test]
    fn what_is_told_goes_by_the_depth_of_questions() {
        let memory: Memory = "hybrid:depth=5".parse().unwrap();
        assert_eq!((memory.asked_from(2), memory.told_from(2)), (5, 5));
        assert_eq!((Memory::USUAL.asked_from(2), Memory::USUAL.told_from(3)), (2, 3));
        let memory: Memory = "hybrid:tell=1".parse().unwrap();
        assert_eq!((memory.asked_from(2), memory.told_from(2)), (2, 1));
    }
}
