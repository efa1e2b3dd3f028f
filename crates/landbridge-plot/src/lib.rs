//! Pictures of alignments as SVG text, PNG or PDF. The crate needs no plotting library and no fonts of the machine, and gives the same
//! bytes every time.
//!
//! ```
//! use landbridge_plot::{Panel, Scatter, Series};
//! let figure = Scatter::new("Two rolls, one sheet")
//!     .subtitle("recall@1 0.93, 40 known pairs")
//!     .panel(Panel::new("roll").series(Series::new("roll", vec![[0.0, 1.0], [2.0, 3.0]])))
//!     .panel(Panel::new("joint space")
//!         .series(Series::new("roll", vec![[0.1, 0.2], [0.3, 0.4]]))
//!         .series(Series::new("sheet", vec![[0.1, 0.3], [0.3, 0.5]]))
//!         .line([0.1, 0.2], [0.1, 0.3]));
//! assert!(figure.render()?.starts_with("<svg"));
//! println!("{}", figure.panels[1].to_text(40, 12)?);
//! # Ok::<(), landbridge_plot::PlotError>(())
//! ```
//!
//! Colours are those of Okabe and Ito, which readers with any colour vision can tell apart; datasets also differ in the
//! shape of their markers.

mod chart;
mod file;
mod marker;
mod render;
mod sample;
mod scale;
mod scatter;
mod svg;
mod terminal;
mod tree;

pub use chart::{Curve, LineChart};
pub use file::Kind;
pub use marker::{Color, PALETTE, Shape};
pub use sample::sample;
pub use scatter::{MAX_LABELS, Panel, Scatter, Series, Style};
pub use svg::{escape, thousands};
pub use terminal::plain;
pub use tree::{Node, Topic, Tree, TreeLevel};

/// Why a picture cannot be drawn.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlotError {
    /// A coordinate is NaN or infinite.
    #[error("\"{series}\" in \"{panel}\": point {point} is ({x}, {y}); coordinates must be finite")]
    NotFinite {
        /// Title of the panel or chart.
        panel: String,
        /// Name of the series, curve, or "lines".
        series: String,
        /// Position of the point, from 0.
        point: usize,
        /// Its first coordinate.
        x: f64,
        /// Its second coordinate.
        y: f64,
    },
    /// There are not as many labels as points.
    #[error("\"{series}\" has {points} points but {labels} labels")]
    LabelCount {
        /// Name of the series.
        series: String,
        /// Its points.
        points: usize,
        /// Its labels.
        labels: usize,
    },
    /// A figure without panels, a chart without curves.
    #[error("\"{title}\": there is nothing to draw: it has no {what}")]
    Nothing {
        /// Title of the picture.
        title: String,
        /// What is missing.
        what: &'static str,
    },
    /// A logarithmic axis and a value that has no logarithm.
    #[error("\"{curve}\": point {point} is {value}, which has no logarithm")]
    NotPositive {
        /// Name of the curve.
        curve: String,
        /// Position of the point, from 0.
        point: usize,
        /// Its value on that axis.
        value: f64,
    },
    /// A terminal picture smaller or larger than can be drawn.
    #[error("a text picture of {width} x {height} characters; it must be between 4 x 2 and 1000 x 1000")]
    TextSize {
        /// Characters across.
        width: usize,
        /// Lines.
        height: usize,
    },
    /// The picture does not become pixels or a page.
    #[error("the picture cannot be converted: {problem}")]
    NotConverted {
        /// Why.
        problem: String,
    },
}

/// Result of everything that can fail here.
pub type Result<T> = std::result::Result<T, PlotError>;
