//! Positions as text: `ROWS [w or b] name=v name=W,B`, the same for every game.

use crate::{Board, Description, Diagram, Field, NotationStyle, Piece, Property, Scope, Side, fen};

/// The reason why a text is not a position: lower case, naming what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TextError(pub String);

/// Writes a position. Games that declare FEN write that.
pub fn position_text(description: &Description, diagram: &Diagram) -> String {
    if let Some(properties) = fen_properties(description) {
        return fen::write(description, properties, diagram);
    }
    let mut text = rows_text(description, diagram);
    if description.players == 2 {
        text.push(' ');
        text.push(diagram.side.letter());
    }
    for property in description.shown_properties() {
        let values = &diagram.values[property.offset..property.offset + property.length(&description.board)];
        if values.iter().all(|&value| value == property.low) {
            continue;
        }
        text.push_str(&format!(" {}={}", property.name, values_text(&description.board, property, values)));
    }
    text
}

/// Reads a position; games that declare FEN read both forms.
pub fn parse_position(description: &Description, text: &str) -> Result<Diagram, TextError> {
    let mut words = text.split_ascii_whitespace();
    let Some(rows) = words.next() else {
        return Err(TextError(format!("a position is needed, such as `{}`", example(description))));
    };
    let mut diagram = Diagram::empty(description);
    parse_rows(description, rows, &mut diagram)?;
    let mut rest: Vec<&str> = words.collect();
    if description.players == 2 && rest.first().is_some_and(|word| !word.contains('=')) {
        diagram.side = match rest.remove(0) {
            "w" | "white" => Side::White,
            "b" | "black" => Side::Black,
            other => {
                return Err(TextError(format!("`{other}` is not a side to move: `w` or `b` is expected")));
            }
        };
    }
    if let Some(properties) = fen_properties(description)
        && rest.first().is_some_and(|word| !word.contains('='))
    {
        fen::parse_rest(description, properties, &rest, &mut diagram)?;
        return Ok(diagram);
    }
    let mut given: Vec<&str> = Vec::new();
    for word in rest {
        let Some((name, value)) = word.split_once('=') else {
            return Err(TextError(format!("`{word}` is not understood: `name=value` is expected here")));
        };
        if given.contains(&name) {
            return Err(TextError(format!("`{name}` is given twice")));
        }
        given.push(name);
        let Some(property) = description.shown_properties().find(|property| property.name == name) else {
            return Err(TextError(format!("there is no property `{name}`{}", known(description))));
        };
        parse_values(description, property, value, &mut diagram.values)?;
    }
    Ok(diagram)
}

fn fen_properties(description: &Description) -> Option<&crate::FenProperties> {
    description.notation.iter().find_map(|style| match style {
        NotationStyle::Fen(properties) => Some(properties),
        _ => None,
    })
}

fn example(description: &Description) -> String {
    position_text(description, &description.initial)
}

fn known(description: &Description) -> String {
    let names: Vec<String> = description.shown_properties().map(|p| format!("`{}`", p.name)).collect();
    match names.is_empty() {
        true => "; this game has none".to_string(),
        false => format!("; this game has {}", names.join(", ")),
    }
}

/// The rows from the top; runs of empty fields as numbers where no piece has a digit for a sign.
pub(crate) fn rows_text(description: &Description, diagram: &Diagram) -> String {
    let board = &description.board;
    let mut text = String::new();
    for row in (0..board.rows()).rev() {
        let mut run = 0;
        for column in 0..board.columns() {
            let field = Field(row * board.columns() + column);
            if board.is_field(field) && diagram.piece(field) == Piece::NONE {
                run += 1;
                continue;
            }
            push_run(&mut text, &mut run, description);
            match board.is_field(field) {
                true => push_stack(&mut text, description, &description.stack(diagram, field)),
                false => text.push('_'),
            }
        }
        push_run(&mut text, &mut run, description);
        if row > 0 {
            text.push('/');
        }
    }
    text
}

/// A piece by its sign; several in parentheses, the lowest first.
fn push_stack(text: &mut String, description: &Description, pieces: &[Piece]) {
    let signs: String = pieces.iter().map(|&piece| description.piece(piece).symbol).collect();
    text.push_str(&if pieces.len() > 1 { format!("({signs})") } else { signs });
}

fn push_run(text: &mut String, run: &mut usize, description: &Description) {
    if *run > 0 && description.uses_digits() {
        text.extend(std::iter::repeat_n('.', *run));
    } else if *run > 0 {
        text.push_str(&run.to_string());
    }
    *run = 0;
}

fn parse_rows(description: &Description, text: &str, diagram: &mut Diagram) -> Result<(), TextError> {
    let board = &description.board;
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != usize::from(board.rows()) {
        let wanted = board.rows();
        return Err(TextError(format!(
            "{} rows are given, {wanted} are expected, separated by `/`",
            rows.len()
        )));
    }
    for (number, row_text) in rows.iter().enumerate() {
        let row = board.rows() - 1 - number as u16;
        parse_row(description, row_text, row, diagram)?;
    }
    Ok(())
}

fn parse_row(
    description: &Description,
    text: &str,
    row: u16,
    diagram: &mut Diagram,
) -> Result<(), TextError> {
    let board = &description.board;
    let columns = usize::from(board.columns());
    let wrong_length = |found: usize| {
        TextError(format!("row {} (`{text}`) has {found} fields, {columns} are expected", row + 1))
    };
    let mut column = 0usize;
    let mut chars = text.chars().peekable();
    while let Some(sign) = chars.next() {
        let mut count = 1;
        let mut content = Some(Piece::NONE);
        let mut stack = Vec::new();
        if let Some(digit) = sign.to_digit(10).filter(|_| !description.uses_digits()) {
            count = digit as usize;
            while let Some(digit) = chars.peek().and_then(|next| next.to_digit(10)) {
                count = (count * 10 + digit as usize).min(10_000);
                chars.next();
            }
        } else if sign == '_' {
            content = None;
        } else if sign == '(' && description.stacks.is_some() {
            let signs: String = chars.by_ref().take_while(|&next| next != ')').collect();
            stack = parse_stack(description, &signs)?;
            content = stack.last().copied();
        } else if sign != '.' {
            content = Some(parse_piece(description, sign)?);
            stack.extend(content);
        }
        for _ in 0..count {
            if column >= columns {
                return Err(wrong_length(column + 1));
            }
            let field = Field(row * board.columns() + column as u16);
            if board.is_field(field) != content.is_some() {
                let name = board.field_name(field);
                let kind = if board.is_field(field) { "a field, not a hole" } else { "a hole: write `_`" };
                return Err(TextError(format!("`{name}` is {kind}")));
            }
            description.put_stack(diagram, field, &stack);
            column += 1;
        }
    }
    if column != columns {
        return Err(wrong_length(column));
    }
    Ok(())
}

fn parse_piece(description: &Description, sign: char) -> Result<Piece, TextError> {
    description
        .piece_of_symbol(sign)
        .ok_or_else(|| TextError(format!("`{sign}` is not a piece of this game{}", symbols(description))))
}

/// The signs between parentheses, those of the lowest pieces first.
fn parse_stack(description: &Description, signs: &str) -> Result<Vec<Piece>, TextError> {
    let highest = description.highest_stack();
    let height = signs.chars().count();
    if !(1..=highest).contains(&height) {
        let message = format!("`({signs})` is a stack of {height} pieces, 1 to {highest} are possible");
        return Err(TextError(message));
    }
    let pieces: Result<Vec<Piece>, TextError> =
        signs.chars().map(|sign| parse_piece(description, sign)).collect();
    let pieces = pieces?;
    let covered = |piece: &&Piece| description.stacks.as_ref().is_some_and(|s| s.digit(**piece).is_some());
    match pieces[..height - 1].iter().find(|piece| !covered(piece)) {
        Some(&piece) => {
            let sign = description.piece(piece).symbol;
            Err(TextError(format!("`{sign}` in `({signs})` cannot lie below other pieces")))
        }
        None => Ok(pieces),
    }
}

fn symbols(description: &Description) -> String {
    let symbols: String = description.pieces[1..].iter().map(|piece| piece.symbol).collect();
    format!("; its pieces are `{symbols}`, `.` is an empty field")
}

fn values_text(board: &Board, property: &Property, values: &[i32]) -> String {
    match property.scope {
        Scope::Board => values[0].to_string(),
        Scope::Player => format!("{},{}", values[0], values[1]),
        Scope::Field => {
            let rows = values.chunks(usize::from(board.columns())).rev();
            let rows: Vec<String> =
                rows.map(|row| row.iter().map(i32::to_string).collect::<Vec<_>>().join(",")).collect();
            rows.join("/")
        }
    }
}

fn parse_values(
    description: &Description,
    property: &Property,
    text: &str,
    values: &mut [i32],
) -> Result<(), TextError> {
    let board = &description.board;
    let name = &property.name;
    let number = |text: &str| {
        let value = text.parse::<i32>().ok().filter(|value| (property.low..=property.high).contains(value));
        value.ok_or_else(|| {
            let (low, high) = (property.low, property.high);
            TextError(format!("`{text}` is not a value of `{name}`: {low} to {high} is expected"))
        })
    };
    let mut numbers = Vec::new();
    match property.scope {
        Scope::Board => numbers.push(number(text)?),
        Scope::Player => {
            let Some((white, black)) = text.split_once(',') else {
                return Err(TextError(format!(
                    "`{name}` needs two values, White's and Black's: `{name}=1,0`"
                )));
            };
            numbers.extend([number(white)?, number(black)?]);
        }
        Scope::Field => {
            for row in text.split('/').collect::<Vec<_>>().iter().rev() {
                let before = numbers.len();
                for value in row.split(',') {
                    numbers.push(number(value)?);
                }
                if numbers.len() - before != usize::from(board.columns()) {
                    return Err(TextError(format!("each row of `{name}` needs {} numbers", board.columns())));
                }
            }
        }
    }
    if numbers.len() != property.length(board) {
        return Err(TextError(format!("`{name}` needs {} rows", board.rows())));
    }
    values[property.offset..property.offset + numbers.len()].copy_from_slice(&numbers);
    Ok(())
}
