//! Curves over a common axis: recall at k, spectra.

use crate::marker::{Color, PALETTE, Shape};
use crate::scale::{Extent, tick_text, ticks};
use crate::svg::{Anchor, INK, MUTED, Svg, fit, number, text_width};
use crate::{PlotError, Result};

/// One curve.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Curve {
    /// Name in the legend.
    pub name: String,
    /// Points, joined in this order.
    pub points: Vec<[f64; 2]>,
}

impl Curve {
    /// Points under a name.
    pub fn new(name: impl Into<String>, points: Vec<[f64; 2]>) -> Self {
        Self { name: name.into(), points }
    }
    /// Values at 1, 2, 3, …: a spectrum.
    pub fn values(name: impl Into<String>, values: &[f64]) -> Self {
        Self::new(name, values.iter().enumerate().map(|(i, &v)| [(i + 1) as f64, v]).collect())
    }
}

/// Several curves with axes and a legend.
///
/// ```
/// use landbridge_plot::{Curve, LineChart};
/// let chart = LineChart::new("Recall").axes("k", "recall@k").log_x(true).y_range(0.0, 1.0)
///     .curve(Curve::new("linear", vec![[1.0, 0.61], [5.0, 0.85], [10.0, 0.92]]));
/// assert!(chart.render()?.contains("recall@k"));
/// # Ok::<(), landbridge_plot::PlotError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Default)]
pub struct LineChart {
    /// Title.
    pub title: String,
    /// Line under the title.
    pub subtitle: String,
    /// Name of the horizontal axis.
    pub x_name: String,
    /// Name of the vertical axis.
    pub y_name: String,
    /// The curves.
    pub curves: Vec<Curve>,
    /// Whether the horizontal axis is logarithmic.
    pub log_x: bool,
    /// Whether the vertical axis is logarithmic.
    pub log_y: bool,
    /// Values the vertical axis must cover at least.
    pub y_range: Option<(f64, f64)>,
}

/// Width, and height without the legend.
const SIZE: [f64; 2] = [600.0, 376.0];
const LEFT: f64 = 66.0;
const RIGHT: f64 = 28.0;
const BOTTOM: f64 = 60.0;
/// Patterns that tell curves apart in print.
const DASHES: [&str; 4] = ["", "6 3", "2 3", "8 3 2 3"];

impl LineChart {
    /// A chart without curves.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }
    /// With a line under the title.
    pub fn subtitle(mut self, subtitle: impl Into<String>) -> Self {
        self.subtitle = subtitle.into();
        self
    }
    /// With names for the axes.
    pub fn axes(mut self, x: impl Into<String>, y: impl Into<String>) -> Self {
        (self.x_name, self.y_name) = (x.into(), y.into());
        self
    }
    /// With one more curve.
    pub fn curve(mut self, curve: Curve) -> Self {
        self.curves.push(curve);
        self
    }
    /// With a logarithmic horizontal axis.
    pub fn log_x(mut self, log: bool) -> Self {
        self.log_x = log;
        self
    }
    /// With a logarithmic vertical axis.
    pub fn log_y(mut self, log: bool) -> Self {
        self.log_y = log;
        self
    }
    /// With a vertical axis that covers at least these values.
    pub fn y_range(mut self, low: f64, high: f64) -> Self {
        self.y_range = Some((low, high));
        self
    }

    /// Points on the axes as drawn: logarithms where asked for.
    fn placed(&self, curve: &Curve) -> Result<Vec<[f64; 2]>> {
        let mut points = vec![];
        for (at, &[x, y]) in curve.points.iter().enumerate() {
            if !(x.is_finite() && y.is_finite()) {
                return Err(PlotError::NotFinite { panel: self.title.clone(), series: curve.name.clone(), point: at, x, y });
            }
            let axis = |value: f64, log: bool| match log {
                false => Ok(value),
                true if value > 0.0 => Ok(value.log10()),
                true => Err(PlotError::NotPositive { curve: curve.name.clone(), point: at, value }),
            };
            points.push([axis(x, self.log_x)?, axis(y, self.log_y)?]);
        }
        Ok(points)
    }

    /// Names of the curves, cut to fit, and their places below the plot, in as many lines as it takes.
    fn legend(&self, room: f64) -> Vec<(String, [f64; 2])> {
        let (mut x, mut y) = (0.0, 0.0);
        let mut placed = vec![];
        for curve in &self.curves {
            let name = fit(&curve.name, 12.0, 200.0);
            let width = 24.0 + text_width(&name, 12.0);
            if x > 0.0 && x + width > room {
                (x, y) = (0.0, y + 20.0);
            }
            placed.push((name, [LEFT + x, y]));
            x += width + 16.0;
        }
        placed
    }

    /// The chart as SVG text. Same chart, same bytes.
    pub fn render(&self) -> Result<String> {
        if self.curves.iter().all(|c| c.points.is_empty()) {
            return Err(PlotError::Nothing { title: self.title.clone(), what: "points on any curve" });
        }
        let curves: Vec<Vec<[f64; 2]>> = self.curves.iter().map(|c| self.placed(c)).collect::<Result<_>>()?;
        let mut corners: Vec<[f64; 2]> = curves.iter().flatten().copied().collect();
        if let Some((low, high)) = self.y_range {
            let bounds = Curve::new("y_range", vec![[1.0, low], [1.0, high]]);
            let x = corners[0][0];
            corners.extend(self.placed(&bounds)?.into_iter().map(|p| [x, p[1]]));
        }
        let top = 36.0 + if self.subtitle.is_empty() { 20.0 } else { 42.0 };
        let [width, plot_height] = SIZE;
        let legend = self.legend(width - LEFT - RIGHT);
        let height = plot_height + legend.last().map_or(0.0, |(_, [_, y])| y + 24.0);
        let (inner_w, inner_h) = (width - LEFT - RIGHT, plot_height - top - BOTTOM);
        let extent = Extent::of(corners.iter());
        let place =
            |p: [f64; 2]| [LEFT + 6.0 + extent.share(0, p[0]) * (inner_w - 12.0), top + (1.0 - extent.share(1, p[1])) * inner_h];

        let names: Vec<&str> = self.curves.iter().map(|c| c.name.as_str()).collect();
        let mut svg = Svg::new(width, height, &self.title, &format!("Line chart. {}", names.join(", ")));
        svg.text(24.0, 38.0, 17.0, 650, INK, Anchor::Start, &fit(&self.title, 18.5, width - 48.0));
        if !self.subtitle.is_empty() {
            svg.text(24.0, 59.0, 12.5, 400, MUTED, Anchor::Start, &fit(&self.subtitle, 12.5, width - 48.0));
        }
        let low_high = |axis: usize| {
            let values = corners.iter().map(|p| p[axis]);
            (values.clone().fold(f64::INFINITY, f64::min), values.fold(f64::NEG_INFINITY, f64::max))
        };
        for (value, text) in axis_ticks(low_high(1), self.log_y) {
            let y = place([corners[0][0], value])[1];
            svg.line([LEFT, y], [width - RIGHT, y], "#e8ebee", 1.0);
            svg.text(LEFT - 8.0, y + 4.0, 11.0, 400, MUTED, Anchor::End, &text);
        }
        svg.line([LEFT, top + inner_h], [width - RIGHT, top + inner_h], "#8c959f", 1.0);
        for (value, text) in axis_ticks(low_high(0), self.log_x) {
            let x = place([value, corners[0][1]])[0];
            svg.line([x, top + inner_h], [x, top + inner_h + 4.0], "#8c959f", 1.0);
            svg.text(x, top + inner_h + 18.0, 11.0, 400, MUTED, Anchor::Middle, &text);
        }
        svg.text(LEFT + 0.5 * inner_w, top + inner_h + 37.0, 12.0, 400, INK, Anchor::Middle, &fit(&self.x_name, 12.0, inner_w));
        let middle = top + 0.5 * inner_h;
        svg.raw(&format!("<g transform=\"rotate(-90 20 {})\">", number(middle)));
        svg.text(20.0, middle, 12.0, 400, INK, Anchor::Middle, &fit(&self.y_name, 12.0, inner_h));
        svg.raw("</g>\n");

        for (i, (points, (name, [x, y]))) in curves.iter().zip(&legend).enumerate() {
            let (color, dash) = (PALETTE[i % PALETTE.len()], DASHES[i / PALETTE.len() % DASHES.len()]);
            let places: Vec<[f64; 2]> = points.iter().map(|&p| place(p)).collect();
            let marker = (places.len() <= 30).then(|| Shape::of(i));
            draw_curve(&mut svg, &places, color, dash, marker, &places);
            let y = plot_height + y;
            draw_curve(&mut svg, &[[*x, y], [x + 18.0, y]], color, dash, marker, &[[x + 9.0, y]]);
            svg.text(x + 24.0, y + 4.0, 12.0, 400, INK, Anchor::Start, name);
        }
        Ok(svg.finish())
    }
}

/// A line, with markers where there is a shape for them.
fn draw_curve(svg: &mut Svg, places: &[[f64; 2]], color: Color, dash: &str, shape: Option<Shape>, marked: &[[f64; 2]]) {
    if places.is_empty() {
        return;
    }
    let path: Vec<String> = places.iter().map(|p| format!("{} {}", number(p[0]), number(p[1]))).collect();
    let hex = color.outline().hex();
    let dash = if dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dash}\"") };
    svg.raw(&format!(
        "<path d=\"M{}\" fill=\"none\" stroke=\"{hex}\" stroke-width=\"1.8\" stroke-linejoin=\"round\" stroke-linecap=\"round\"{dash}/>\n",
        path.join("L")
    ));
    if let Some(shape) = shape {
        let markers: String = marked.iter().map(|p| shape.element(p[0], p[1], 3.4)).collect();
        svg.raw(&format!("<g fill=\"{hex}\" stroke=\"#fff\" stroke-width=\".8\">{markers}</g>\n"));
    }
}

/// Places and texts of the ticks; whole powers of ten where logarithmic and there are at least two.
fn axis_ticks((low, high): (f64, f64), log: bool) -> Vec<(f64, String)> {
    if !log {
        return ticks(low, high, 5).into_iter().map(|v| (v, tick_text(v))).collect();
    }
    let factors: &[f64] = if high - low > 2.5 { &[1.0] } else { &[1.0, 2.0, 5.0] };
    let stride = (((high - low) / 7.0).ceil() as i32).max(1);
    let mut found = vec![];
    for power in (low.floor() as i32..=high.ceil() as i32).filter(|p| p.rem_euclid(stride) == 0) {
        for factor in factors {
            let value = f64::from(power) + factor.log10();
            if value >= low - 1e-9 && value <= high + 1e-9 {
                found.push((value, tick_text(factor * 10f64.powi(power))));
            }
        }
    }
    if found.is_empty() { vec![(low, tick_text(10f64.powf(low)))] } else { found }
}
