//! Reading a program: the cursor over the tokens, and the order of the parts.
//!
//! Everything a program refers to is checked to exist, so what was read can be run. Functions may be called
//! before they are written; their names are collected first.

mod board;
mod body;
mod evaluation;
mod expression;
mod header;

use std::collections::HashMap;

use multigame_game::Side;

use super::lexer::{Placed, Token, tokens};
use super::{MAX_NESTING, ParseError};
use crate::{Function, FunctionId, Origin, OriginId, Program};
use body::Body;
use header::Header;

type Parsed<T> = Result<T, ParseError>;

/// Reads a program from its text.
pub fn parse(text: &str) -> Result<Program, ParseError> {
    let mut cursor = Cursor { tokens: tokens(text)?, at: 0, depth: 0, greatest_origin: (0, 1) };
    let labels = Labels::collect(&cursor.tokens);
    cursor.skip_line_ends();
    for word in ["multigame", "ir"] {
        cursor.expect_word(word)?;
    }
    cursor.number(1, 1)?;
    cursor.end_of_line()?;

    let mut header = Header::default();
    let mut origins = vec![Origin::default()];
    while !cursor.is_word("function") && *cursor.peek() != Token::End {
        if cursor.is_word("origin") {
            cursor.origin_line(&mut origins)?;
        } else {
            header.fact(&mut cursor, &labels)?;
        }
    }
    let mut program = header.finish(&cursor)?;
    while *cursor.peek() != Token::End {
        if cursor.is_word("origin") {
            cursor.origin_line(&mut origins)?;
            continue;
        }
        cursor.expect_word("function")?;
        let name = cursor.name("the function's name")?;
        let view = cursor.side()?;
        let body = Body { cursor: &mut cursor, program: &program, labels: &labels }.block()?;
        cursor.end_of_line()?;
        program.functions.push(Function { name, view, body });
    }
    let (greatest, line) = cursor.greatest_origin;
    if greatest as usize >= origins.len() {
        return Err(ParseError { line, message: format!("there is no line `origin {greatest} ...`") });
    }
    program.origins = origins;
    Ok(program)
}

/// The numbers of the functions of each name and view, in their order.
struct Labels(HashMap<(String, Side), Vec<FunctionId>>);

impl Labels {
    /// No statement begins with `function`, so every line that does begins one.
    fn collect(tokens: &[Placed<'_>]) -> Labels {
        let mut labels: HashMap<(String, Side), Vec<FunctionId>> = HashMap::new();
        let mut count = 0;
        let begins_line = |at: usize| at == 0 || tokens[at - 1].token == Token::LineEnd;
        for (at, window) in tokens.windows(3).enumerate() {
            let [keyword, name, view] = window else { continue };
            let name = match &name.token {
                Token::Word(name) => name.to_string(),
                Token::Text(name) => name.clone(),
                _ => continue,
            };
            let Some(view) = side_of(&view.token) else { continue };
            if keyword.token == Token::Word("function") && begins_line(at) {
                labels.entry((name, view)).or_default().push(FunctionId(count));
                count += 1;
            }
        }
        Labels(labels)
    }
}

fn side_of(token: &Token<'_>) -> Option<Side> {
    match token {
        Token::Word("white") => Some(Side::White),
        Token::Word("black") => Some(Side::Black),
        _ => None,
    }
}

/// The place in the text.
struct Cursor<'t> {
    tokens: Vec<Placed<'t>>,
    at: usize,
    depth: u32,
    /// The greatest number of an origin so far and its line.
    greatest_origin: (u32, u32),
}

impl<'t> Cursor<'t> {
    fn peek(&self) -> &Token<'t> {
        &self.tokens[self.at].token
    }

    fn peek_second(&self) -> &Token<'t> {
        &self.tokens[(self.at + 1).min(self.tokens.len() - 1)].token
    }

    fn line(&self) -> u32 {
        self.tokens[self.at].line
    }

    /// Takes a token; the last one, the end, stays.
    fn take(&mut self) -> Token<'t> {
        let token = self.peek().clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn error<T>(&self, message: impl Into<String>) -> Parsed<T> {
        Err(ParseError { line: self.line(), message: message.into() })
    }

    fn expected<T>(&self, what: &str) -> Parsed<T> {
        self.error(format!("{what} is expected, not {}", self.peek()))
    }

    fn is_word(&self, word: &str) -> bool {
        *self.peek() == Token::Word(word)
    }

    fn accept(&mut self, wanted: &Token<'_>) -> bool {
        let is_there = self.peek() == wanted;
        if is_there {
            self.take();
        }
        is_there
    }

    fn accept_word(&mut self, word: &str) -> bool {
        self.accept(&Token::Word(word))
    }

    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.accept_word(word) { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }

    fn accept_sign(&mut self, sign: &'static str) -> bool {
        self.accept(&Token::Sign(sign))
    }

    fn expect_sign(&mut self, sign: &'static str) -> Parsed<()> {
        if self.accept_sign(sign) { Ok(()) } else { self.expected(&format!("`{sign}`")) }
    }

    fn word(&mut self, what: &str) -> Parsed<&'t str> {
        let Token::Word(word) = *self.peek() else { return self.expected(what) };
        self.take();
        Ok(word)
    }

    fn text(&mut self, what: &str) -> Parsed<String> {
        let Token::Text(text) = self.peek().clone() else {
            return self.expected(&format!("{what} in quotes"));
        };
        self.take();
        Ok(text)
    }

    /// A name, in quotes or without.
    fn name(&mut self, what: &str) -> Parsed<String> {
        match self.accept_name() {
            Some(name) => Ok(name),
            None => self.expected(what),
        }
    }

    fn accept_name(&mut self) -> Option<String> {
        let name = match self.peek() {
            Token::Word(word) => word.to_string(),
            Token::Text(text) => text.clone(),
            _ => return None,
        };
        self.take();
        Some(name)
    }

    fn symbol(&mut self) -> Parsed<char> {
        let Token::Symbol(symbol) = *self.peek() else { return self.expected("a sign such as 'P'") };
        self.take();
        Ok(symbol)
    }

    /// A number with its sign, within bounds.
    fn number(&mut self, low: i64, high: i64) -> Parsed<i64> {
        let line = self.line();
        let negative = self.accept_sign("-");
        let Token::Number(size) = *self.peek() else { return self.expected("a number") };
        let value = if negative { -i128::from(size) } else { i128::from(size) };
        match i64::try_from(value).ok().filter(|value| (low..=high).contains(value)) {
            Some(value) => {
                self.take();
                Ok(value)
            }
            None if low == high => {
                Err(ParseError { line, message: format!("{low} is expected, not {value}") })
            }
            None => Err(ParseError { line, message: format!("{value} is not between {low} and {high}") }),
        }
    }

    fn count(&mut self) -> Parsed<u32> {
        Ok(self.number(0, u32::MAX.into())? as u32)
    }

    fn side(&mut self) -> Parsed<Side> {
        let Some(side) = side_of(self.peek()) else { return self.expected("`white` or `black`") };
        self.take();
        Ok(side)
    }

    /// `@7`, or the origin 0 where nothing is written.
    fn origin(&mut self) -> Parsed<OriginId> {
        if !self.accept_sign("@") {
            return Ok(OriginId::default());
        }
        let line = self.line();
        let number = self.count()?;
        if number > self.greatest_origin.0 {
            self.greatest_origin = (number, line);
        }
        Ok(OriginId(number))
    }

    /// `@main.white` or `@main.white~2`.
    fn function(&mut self, labels: &Labels) -> Parsed<FunctionId> {
        self.expect_sign("@")?;
        let line = self.line();
        let name = self.name("the name of a function")?;
        self.expect_sign(".")?;
        let view = self.side()?;
        let number = if self.accept_sign("~") { self.number(1, u32::MAX.into())? } else { 1 };
        let key = (name, view);
        match labels.0.get(&key).and_then(|functions| functions.get(number as usize - 1)) {
            Some(&function) => Ok(function),
            None => {
                let message = format!("there is no function `{}.{view}` number {number}", key.0);
                Err(ParseError { line, message })
            }
        }
    }

    /// `origin 1 "pawn" 12 340..355`
    fn origin_line(&mut self, origins: &mut Vec<Origin>) -> Parsed<()> {
        self.expect_word("origin")?;
        let next = origins.len() as i64;
        // The first one is there from the start but may be described.
        let number = self.number(if next == 1 { 0 } else { next }, next)?;
        let rule = self.text("the rule's name")?;
        let line = self.count()?;
        let start = self.count()?;
        self.expect_sign("..")?;
        let span = (start, self.count()?);
        origins.truncate(number as usize);
        origins.push(Origin { rule, line, span });
        self.end_of_line()
    }

    /// The end of a line and all empty lines after it.
    fn end_of_line(&mut self) -> Parsed<()> {
        match self.peek() {
            Token::End => Ok(()),
            Token::LineEnd => {
                self.skip_line_ends();
                Ok(())
            }
            _ => self.expected("the end of the line"),
        }
    }

    fn skip_line_ends(&mut self) {
        while self.accept(&Token::LineEnd) {}
    }

    /// Counts one more level of nesting; [`Cursor::leave`] counts it down again.
    fn enter(&mut self) -> Parsed<()> {
        self.depth += 1;
        match self.depth > MAX_NESTING {
            true => self.error(format!("statements and expressions can be nested {MAX_NESTING} levels deep")),
            false => Ok(()),
        }
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }
}
