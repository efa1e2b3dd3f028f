//! A panel as text, for terminals.

use crate::marker::Color;
use crate::scale::Extent;
use crate::scatter::{Key, Panel};
use crate::{PlotError, Result};

/// Signs of the first datasets where they are alone in a cell.
const SIGNS: [char; 6] = ['o', 'x', '+', '^', '=', '~'];
/// Sign of a cell where datasets meet.
const MEETING: char = '#';

impl Panel {
    /// The points as a frame of signs: `o` the first dataset, `x` the second, `#` where datasets meet, so how well they
    /// mix can be seen without colour. `width` and `height` count characters inside the frame.
    pub fn to_text(&self, width: usize, height: usize) -> Result<String> {
        check_size(width, height)?;
        self.check()?;
        let mut cells: Vec<Option<char>> = vec![None; width * height];
        for (s, column, row) in self.cells(width, height) {
            let sign = SIGNS[s % SIGNS.len()];
            let cell = &mut cells[row * width + column];
            *cell = Some(if cell.is_none_or(|c| c == sign) { sign } else { MEETING });
        }
        let lines = cells.chunks(width).map(|line| line.iter().map(|c| c.unwrap_or(' ')).collect());
        let mut legend: Vec<String> = self
            .series
            .iter()
            .enumerate()
            .map(|(s, series)| format!("{} {}", SIGNS[s % SIGNS.len()], plain(&series.name)))
            .collect();
        if self.series.len() > 1 {
            legend.push(format!("{MEETING} {}", if self.series.len() == 2 { "both" } else { "several" }));
        }
        Ok(self.framed(lines, width, &legend.join("   ")))
    }

    /// The points as braille dots, eight to a character, in the colours of the picture where `color` is true (24-bit
    /// escape codes): a cell has the colour most of its points have.
    pub fn to_braille(&self, width: usize, height: usize, color: bool) -> Result<String> {
        /// Bit of each dot of a braille character, by row and column.
        const DOTS: [[u32; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
        check_size(width, height)?;
        self.check()?;
        let key = Key::new(std::slice::from_ref(self), &[]);
        let mut dots = vec![0u32; width * height];
        let mut votes: Vec<Vec<(Color, usize)>> = vec![vec![]; width * height];
        let points = self.series.iter().flat_map(|s| (0..s.points.len()).map(move |i| (s, i)));
        for ((_, column, row), (series, i)) in self.cells(2 * width, 4 * height).zip(points) {
            let cell = (row / 4) * width + column / 2;
            dots[cell] |= DOTS[row % 4][column % 2];
            let paint = key.paint(series, i).color;
            match votes[cell].iter_mut().find(|(c, _)| *c == paint) {
                Some((_, count)) => *count += 1,
                None => votes[cell].push((paint, 1)),
            }
        }
        let lines = (0..height).map(|row| {
            let mut line = String::new();
            for cell in row * width..(row + 1) * width {
                let dot = char::from_u32(0x2800 + dots[cell]).unwrap_or(' ');
                // Of equal counts the first stays: `>` decides ties in one way.
                let most = votes[cell]
                    .iter()
                    .fold(None, |best: Option<(Color, usize)>, &v| if best.is_none_or(|b| v.1 > b.1) { Some(v) } else { best });
                line.push_str(&match most.filter(|_| color) {
                    Some((c, _)) => colored(&dot.to_string(), c),
                    None => dot.to_string(),
                });
            }
            line
        });
        let mut entries: Vec<String> = vec![];
        if key.by_label() {
            entries.extend(key.labels.iter().map(|label| entry(label, key.color(label), color)));
        } else {
            entries.extend(key.datasets.iter().map(|(name, paint)| entry(name, paint.color, color)));
        }
        Ok(self.framed(lines, width, &entries.join("   ")))
    }

    /// `(series, column, row)` of every point, series after series.
    fn cells(&self, width: usize, height: usize) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
        let extent = Extent::of(self.series.iter().flat_map(|s| &s.points));
        self.series.iter().enumerate().flat_map(move |(s, series)| {
            series.points.iter().map(move |p| {
                let column = (extent.share(0, p[0]) * (width - 1) as f64).round() as usize;
                let row = ((1.0 - extent.share(1, p[1])) * (height - 1) as f64).round() as usize;
                (s, column, row)
            })
        })
    }

    fn framed(&self, lines: impl Iterator<Item = String>, width: usize, legend: &str) -> String {
        let mut out = String::new();
        if !self.title.is_empty() {
            out.push_str(&format!("{}\n", plain(&self.title)));
        }
        out.push_str(&format!("┌{}┐\n", "─".repeat(width)));
        lines.for_each(|line| out.push_str(&format!("│{line}│\n")));
        out.push_str(&format!("└{}┘\n", "─".repeat(width)));
        if !legend.is_empty() {
            out.push_str(&format!("{legend}\n"));
        }
        out
    }
}

fn check_size(width: usize, height: usize) -> Result<()> {
    let fits = (4..=1000).contains(&width) && (2..=1000).contains(&height);
    if fits { Ok(()) } else { Err(PlotError::TextSize { width, height }) }
}

/// The text without control characters: names come from files, and their escape codes must not reach the terminal.
pub fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{FFFD}' } else { c }).collect()
}

fn colored(text: &str, Color(r, g, b): Color) -> String {
    format!("\x1b[38;2;{r};{g};{b}m{text}\x1b[0m")
}

fn entry(name: &str, paint: Color, color: bool) -> String {
    if color { format!("{} {}", colored("●", paint), plain(name)) } else { plain(name) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Series;

    fn corners() -> Panel {
        Panel::new("joint")
            .series(Series::new("a", vec![[0.0, 0.0], [1.0, 1.0]]))
            .series(Series::new("b", vec![[1.0, 0.0], [1.0, 1.0]]))
    }

    #[test]
    fn signs_stand_in_their_corners_and_meet() {
        let text = corners().to_text(4, 2).unwrap();
        assert_eq!(text, "joint\n┌────┐\n│   #│\n│o  x│\n└────┘\no a   x b   # both\n");
    }

    #[test]
    fn braille_sets_the_corner_dots() {
        let text = corners().to_braille(4, 2, false).unwrap();
        assert_eq!(text, "joint\n┌────┐\n│⠀⠀⠀⠈│\n│⡀⠀⠀⢀│\n└────┘\na   b\n");
        let colored = corners().to_braille(4, 2, true).unwrap();
        assert!(colored.contains("\x1b[38;2;0;114;178m⡀\x1b[0m"), "{colored:?}");
    }

    #[test]
    fn awkward_panels_are_drawn_or_refused() {
        assert!(Panel::new("").to_text(10, 4).unwrap().lines().count() == 6);
        let same = Panel::new("same").series(Series::new("a", vec![[3.0, 3.0]; 5]));
        assert_eq!(same.to_text(5, 3).unwrap(), "same\n┌─────┐\n│     │\n│  o  │\n│     │\n└─────┘\no a\n");
        assert!(matches!(same.to_text(3, 9), Err(PlotError::TextSize { .. })));
        assert!(matches!(same.to_text(usize::MAX, 9), Err(PlotError::TextSize { .. })));
        let bad = Panel::new("bad").series(Series::new("a", vec![[f64::NAN, 0.0]]));
        assert!(matches!(bad.to_braille(9, 9, true), Err(PlotError::NotFinite { .. })));
        let hostile = Panel::new("\x1b[2Jgone").series(Series::new("\x07", vec![[0.0, 0.0]]));
        assert!(!hostile.to_text(5, 3).unwrap().contains(['\x1b', '\x07']));
    }
}
