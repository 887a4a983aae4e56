//! Pages that need nothing from anywhere else, and the colours of charts.

/// The colours of charts. They are written out twice and not as variables: programs that show SVG files and
/// are not browsers know neither variables nor modes, and then take the first.
pub(crate) const CHART_STYLE: &str = "
.chart { font: 12px system-ui, sans-serif; }
.chart text { fill: #222; } .chart .title { font-size: 15px; } .chart .paper { fill: #fdfdfb; }
.chart path { fill: none; stroke-width: 2; stroke-linejoin: round; } .chart .steps { stroke-width: 1.2; }
.chart .dashed { stroke-dasharray: 6 4; } .chart .thin { stroke-width: 1; opacity: .55; } .chart .pale { opacity: .45; }
.chart .grid { stroke: #88888855; stroke-width: 1; }
.chart path.tone0 { stroke: #2a6fb0; } .chart :not(path).tone0 { fill: #2a6fb0; }
.chart path.tone1 { stroke: #c8553d; } .chart :not(path).tone1 { fill: #c8553d; }
.chart path.tone2 { stroke: #2b8a57; } .chart :not(path).tone2 { fill: #2b8a57; }
.chart path.tone3 { stroke: #8457b5; } .chart :not(path).tone3 { fill: #8457b5; }
.chart path.tone4 { stroke: #b9770e; } .chart :not(path).tone4 { fill: #b9770e; }
.chart path.tone5 { stroke: #0e8c9b; } .chart :not(path).tone5 { fill: #0e8c9b; }
.chart path.tone6 { stroke: #b23a85; } .chart :not(path).tone6 { fill: #b23a85; }
.chart path.quiet { stroke: #8a8a80; } .chart :not(path).quiet { fill: #8a8a80; }
@media (prefers-color-scheme: dark) {
.chart text { fill: #ddd; } .chart .paper { fill: #16181a; }
.chart path.tone0 { stroke: #6fb1ec; } .chart :not(path).tone0 { fill: #6fb1ec; }
.chart path.tone1 { stroke: #ee8a73; } .chart :not(path).tone1 { fill: #ee8a73; }
.chart path.tone2 { stroke: #5cc48d; } .chart :not(path).tone2 { fill: #5cc48d; }
.chart path.tone3 { stroke: #b794e6; } .chart :not(path).tone3 { fill: #b794e6; }
.chart path.tone4 { stroke: #e8b04f; } .chart :not(path).tone4 { fill: #e8b04f; }
.chart path.tone5 { stroke: #58c7d4; } .chart :not(path).tone5 { fill: #58c7d4; }
.chart path.tone6 { stroke: #e58bc1; } .chart :not(path).tone6 { fill: #e58bc1; }
.chart path.quiet { stroke: #8f8f86; } .chart :not(path).quiet { fill: #8f8f86; }
}
";

const PAGE_STYLE: &str = "
:root { color-scheme: light dark; --paper: #fdfdfb; --ink: #222; --faint: #8886; }
@media (prefers-color-scheme: dark) { :root { --paper: #16181a; --ink: #ddd; } }
body { background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto;
  max-width: 76rem; padding: 0 1rem; }
h1 { margin-bottom: 0; } figure h2 { font-size: 1.1rem; margin: 0 0 .5rem; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(22rem, 1fr)); gap: 1.5rem; }
figure { margin: 0; } figcaption { font-size: .85rem; opacity: .8; }
svg { width: 100%; height: auto; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; } td, th { padding: .2rem .7rem; text-align: right; }
th { border-bottom: 1px solid var(--faint); } td:first-child, th:first-child { text-align: left; }
code { font-size: .9em; }
";

/// A page with charts in it; `body` is HTML.
pub fn page(title: &str, body: &str) -> String {
    let title = escape(title);
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title>\
         <style>{PAGE_STYLE}{CHART_STYLE}</style></head><body>\n{body}</body></html>\n"
    )
}

/// Text inside of HTML or SVG, attributes included.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
