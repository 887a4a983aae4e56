//! Charts as SVG text, and the self-contained pages they are shown on: lines, steps, points with error bars,
//! bars.
//!
//! A [`Chart`] is data: axes and layers. [`Chart::svg`] draws it as a file of its own, [`Chart::inline`] as a
//! part of a [`page`]. Colours are CSS classes, so a chart follows the reader's light or dark mode in both
//! forms; a legend names every layer that has a name, and readers who see no pictures are told the title.
//!
//! Why not a plotting library: `plotters` and `kuva` write colours into every element, so a chart has one
//! mode for ever, and they bring font, raster and date code along for four kinds of marks. This crate is
//! small and depends on nothing.
//!
//! ```
//! use multigame_charts::{Axis, Chart, Tone};
//!
//! let chart = Chart::new("speedup", Axis::binary("processors"), Axis::binary("speedup"))
//!     .line("measured", Tone::nth(0), vec![(1.0, 1.0), (64.0, 41.5)])
//!     .dashed("ideal", Tone::Quiet, vec![(1.0, 1.0), (64.0, 64.0)]);
//! assert!(chart.svg().contains("prefers-color-scheme: dark"));
//! ```

#![forbid(unsafe_code)]

mod axis;
mod chart;
mod draw;
mod page;

pub use axis::Axis;
pub use chart::{Bar, Chart, Point, Tone};
pub use page::{escape, page};
