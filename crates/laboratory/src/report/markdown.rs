//! The report as Markdown.

use std::fmt::Write;

use super::{Section, Table};

/// The most columns of a line.
const COLUMNS: usize = 108;

pub(super) fn markdown(sections: &[Section]) -> String {
    let mut out = String::from("# Experiments\n\nWritten by `multigame experiment report`; do not edit.\n");
    for section in sections {
        // Writing to a string cannot fail.
        let _ = write(section, &mut out);
    }
    out
}

fn write(section: &Section, out: &mut String) -> std::fmt::Result {
    writeln!(out, "\n## {}\n", plain(&section.title))?;
    for paragraph in section.about.split("\n\n") {
        writeln!(out, "{}\n", wrapped(&plain(paragraph), ""))?;
    }
    for note in &section.notes {
        writeln!(out, "- {}", wrapped(&plain(note), "  "))?;
    }
    if !section.table.rows.is_empty() {
        write_table(&section.table, out)?;
    }
    for figure in &section.figures {
        writeln!(out, "\n![{}](pictures/{})", figure.caption, figure.file(&section.name))?;
    }
    writeln!(out, "\n{}", wrapped(&section.provenance.join(" "), ""))
}

/// Text whose asterisks are asterisks; quoted code is left alone.
fn plain(text: &str) -> String {
    let part = |(number, part): (usize, &str)| {
        if number % 2 == 1 { part.to_string() } else { part.replace('*', "\\*") }
    };
    text.split('`').enumerate().map(part).collect::<Vec<_>>().join("`")
}

/// A paragraph in lines that are not too long; all but the first begin with an indent. Quoted code stays on
/// one line.
fn wrapped(text: &str, indent: &str) -> String {
    let (mut out, mut column, mut quoted) = (String::new(), indent.len(), false);
    for word in text.split_whitespace() {
        let width = word.chars().count();
        if !quoted && column + 1 + width > COLUMNS && column > indent.len() {
            out.push('\n');
            out.push_str(indent);
            column = indent.len();
        } else if !out.is_empty() {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += width;
        quoted ^= word.matches('`').count() % 2 == 1;
    }
    out
}

fn write_table(table: &Table, out: &mut String) -> std::fmt::Result {
    writeln!(out, "\n| {} |", table.head.join(" | "))?;
    writeln!(out, "|{}", "---|".repeat(table.head.len()))?;
    for row in &table.rows {
        let cells: Vec<String> = row.iter().map(|cell| plain(&cell.replace('|', "\\|"))).collect();
        writeln!(out, "| {} |", cells.join(" | "))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asterisks_are_asterisks() {
        assert_eq!(plain("*Socrates `a*b` c*"), "\\*Socrates `a*b` c\\*");
    }

    #[test]
    fn lines_are_not_too_long_and_code_stays_whole() {
        let text = "word ".repeat(60) + "`quoted code that is kept`";
        let wrapped = wrapped(&text, "  ");
        assert!(wrapped.lines().all(|line| line.len() <= COLUMNS + 20) && wrapped.lines().count() == 3);
        assert!(wrapped.lines().skip(1).all(|line| line.starts_with("  word")));
        assert!(wrapped.contains("`quoted code that is kept`"));
        assert_eq!(
            wrapped.split_whitespace().collect::<Vec<_>>(),
            text.split_whitespace().collect::<Vec<_>>()
        );
    }
}
