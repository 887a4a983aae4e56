//! The report as a page of its own.

use std::fmt::Write;

use multigame_charts::{escape, page};

use super::{Section, Table};

pub(super) fn html(sections: &[Section]) -> String {
    let mut body = String::from("<h1>Experiments</h1>\n<ul>\n");
    // Writing to a string cannot fail.
    for section in sections {
        let _ = writeln!(
            body,
            "<li><a href=\"#{0}\">{1}</a></li>",
            escape(&section.name),
            escape(&section.title)
        );
    }
    body.push_str("</ul>\n");
    for section in sections {
        let _ = write(section, &mut body);
    }
    page("Experiments", &body)
}

fn write(section: &Section, out: &mut String) -> std::fmt::Result {
    writeln!(out, "<h2 id=\"{}\">{}</h2>", escape(&section.name), escape(&section.title))?;
    for paragraph in section.about.split("\n\n") {
        writeln!(out, "<p>{}</p>", code(paragraph))?;
    }
    writeln!(out, "<ul>")?;
    for note in &section.notes {
        writeln!(out, "<li>{}</li>", code(note))?;
    }
    writeln!(out, "</ul>")?;
    write_table(&section.table, out)?;
    writeln!(out, "<div class=\"plots\">")?;
    for figure in &section.figures {
        writeln!(
            out,
            "<figure>{}<figcaption>{}</figcaption></figure>",
            figure.chart.inline(),
            code(&figure.caption)
        )?;
    }
    writeln!(out, "</div>\n<p>{}</p>", code(&section.provenance.join(" ")))
}

fn write_table(table: &Table, out: &mut String) -> std::fmt::Result {
    if table.rows.is_empty() {
        return Ok(());
    }
    let cells = |tag: &str, cells: &[String]| -> String {
        cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", code(cell))).collect()
    };
    writeln!(out, "<div class=\"wide\"><table>\n<tr>{}</tr>", cells("th", &table.head))?;
    for row in &table.rows {
        writeln!(out, "<tr>{}</tr>", cells("td", row))?;
    }
    writeln!(out, "</table></div>")
}

/// Text with what stands between backquotes as code.
fn code(text: &str) -> String {
    let part = |(number, part): (usize, &str)| {
        let part = escape(part);
        if number % 2 == 1 { format!("<code>{part}</code>") } else { part }
    };
    text.split('`').enumerate().map(part).collect()
}
