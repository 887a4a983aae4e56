//! The words and signs of the textual form.

use std::fmt;

use super::{MAX_LENGTH, ParseError};

/// A word, sign, number or quotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// A keyword, name or coordinate.
    Word(&'t str),
    /// A number without its sign.
    Number(u64),
    /// `"text"`
    Text(String),
    /// `'P'`
    Symbol(char),
    /// An operator or bracket.
    Sign(&'static str),
    /// A line break or `;`.
    LineEnd,
    /// There is no more.
    End,
}

/// A token and its line.
#[derive(Clone, Debug)]
pub(super) struct Placed<'t> {
    pub token: Token<'t>,
    pub line: u32,
}

/// Longer signs before their beginnings.
const SIGNS: [&str; 37] = [
    "<<|", "..", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "{", "}", "(", ")", "[", "]",
    ",", ":", "?", "@", ".", "/", "$", "~", "=", "+", "-", "*", "%", "<", ">", "&", "^", "|", "!",
];

/// Splits a text; the last token is [`Token::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<Placed<'_>>, ParseError> {
    if text.len() > MAX_LENGTH {
        let message = format!("the text has {} bytes; up to {MAX_LENGTH} are read", text.len());
        return Err(ParseError { line: 1, message });
    }
    let mut lexer = Lexer { rest: text, line: 1 };
    let mut tokens = Vec::new();
    loop {
        let line = lexer.line;
        let token = lexer.token()?;
        let is_end = token == Token::End;
        tokens.push(Placed { token, line });
        if is_end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'t> {
    rest: &'t str,
    line: u32,
}

impl<'t> Lexer<'t> {
    fn token(&mut self) -> Result<Token<'t>, ParseError> {
        self.skip_blanks();
        let Some(first) = self.rest.chars().next() else { return Ok(Token::End) };
        match first {
            '\n' => {
                self.take(1);
                self.line += 1;
                Ok(Token::LineEnd)
            }
            ';' => {
                self.take(1);
                Ok(Token::LineEnd)
            }
            '"' => self.text(),
            '\'' => self.symbol(),
            _ if first.is_ascii_digit() => self.number(),
            _ if first == '_' || first.is_ascii_alphabetic() => {
                let is_inside = |c: char| c == '_' || c.is_ascii_alphanumeric();
                Ok(Token::Word(self.take_while(is_inside)))
            }
            _ => self.sign(first),
        }
    }

    fn skip_blanks(&mut self) {
        self.take_while(|c| c.is_whitespace() && c != '\n');
        if self.rest.starts_with('#') {
            self.take_while(|c| c != '\n');
        }
    }

    fn take(&mut self, bytes: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        taken
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'t str {
        let bytes = self.rest.find(|c| !wanted(c)).unwrap_or(self.rest.len());
        self.take(bytes)
    }

    fn sign(&mut self, first: char) -> Result<Token<'t>, ParseError> {
        let Some(&sign) = SIGNS.iter().find(|&&sign| self.rest.starts_with(sign)) else {
            return self.error(format!("{first:?} means nothing here"));
        };
        self.take(sign.len());
        Ok(Token::Sign(sign))
    }

    fn number(&mut self) -> Result<Token<'t>, ParseError> {
        let digits = self.take_while(|c| c.is_ascii_digit());
        match digits.parse() {
            Ok(number) => Ok(Token::Number(number)),
            Err(_) => self.error(format!("`{digits}` does not fit into 64 bits")),
        }
    }

    fn text(&mut self) -> Result<Token<'t>, ParseError> {
        self.take(1);
        let mut text = String::new();
        loop {
            match self.quoted()? {
                ('"', false) => return Ok(Token::Text(text)),
                (c, _) => text.push(c),
            }
        }
    }

    fn symbol(&mut self) -> Result<Token<'t>, ParseError> {
        self.take(1);
        let (symbol, escaped) = self.quoted()?;
        if (symbol, escaped) == ('\'', false) || self.quoted()? != ('\'', false) {
            return self.error("one sign is expected between `'` and `'`".to_string());
        }
        Ok(Token::Symbol(symbol))
    }

    /// The next character of a quotation and whether it was escaped.
    fn quoted(&mut self) -> Result<(char, bool), ParseError> {
        let Some(c) = self.rest.chars().next().filter(|&c| c != '\n') else {
            return self.error("the quotation does not end on this line".to_string());
        };
        self.take(c.len_utf8());
        if c != '\\' {
            return Ok((c, false));
        }
        let kind = self.rest.chars().next().unwrap_or(' ');
        let plain = match kind {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            '0' => '\0',
            '\'' | '"' | '\\' => kind,
            'u' => return self.code_point().map(|c| (c, true)),
            _ => return self.error(format!("{:?} is not an escape", format!("\\{kind}"))),
        };
        self.take(1);
        Ok((plain, true))
    }

    /// What follows the backslash of `\u{1f0a1}`.
    fn code_point(&mut self) -> Result<char, ParseError> {
        let digits = self.rest.strip_prefix("u{").and_then(|rest| rest.split_once('}')).map(|(code, _)| code);
        let code = digits.filter(|code| code.len() <= 6 && code.chars().all(|c| c.is_ascii_hexdigit()));
        let c = code.and_then(|code| u32::from_str_radix(code, 16).ok()).and_then(char::from_u32);
        let (Some(code), Some(c)) = (code, c) else {
            return self.error("`\\u{...}` with the number of a character is expected".to_string());
        };
        self.take("u{}".len() + code.len());
        Ok(c)
    }

    fn error<T>(&self, message: String) -> Result<T, ParseError> {
        Err(ParseError { line: self.line, message })
    }
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Word(word) => write!(f, "`{word}`"),
            Token::Number(number) => write!(f, "`{number}`"),
            Token::Text(text) => write!(f, "{text:?}"),
            Token::Symbol(symbol) => write!(f, "{symbol:?}"),
            Token::Sign(sign) => write!(f, "`{sign}`"),
            Token::LineEnd => f.write_str("the end of the line"),
            Token::End => f.write_str("the end of the text"),
        }
    }
}
