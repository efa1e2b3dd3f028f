//! Colours and shapes.

use crate::svg::number;

/// Red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Color(pub u8, pub u8, pub u8);

impl Color {
    /// As in style sheets: `#0072b2`.
    pub fn hex(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }

    /// For thin outlines: the same hue, dark enough to be seen on white.
    pub(crate) fn outline(self) -> Color {
        let bright = 0.299 * f64::from(self.0) + 0.587 * f64::from(self.1) + 0.114 * f64::from(self.2);
        if bright < 190.0 {
            return self;
        }
        let darker = |v: u8| (f64::from(v) * 0.78) as u8;
        Color(darker(self.0), darker(self.1), darker(self.2))
    }
}

/// Okabe and Ito's eight colours, those that read best on white first.
pub const PALETTE: [Color; 8] = [
    Color(0, 114, 178),   // blue
    Color(213, 94, 0),    // vermillion
    Color(0, 158, 115),   // bluish green
    Color(204, 121, 167), // reddish purple
    Color(230, 159, 0),   // orange
    Color(86, 180, 233),  // sky blue
    Color(60, 60, 60),    // black, softened
    Color(240, 228, 66),  // yellow
];

/// What has no colour of its own.
pub(crate) const GREY: Color = Color(176, 182, 189);

/// Shape of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Shape {
    /// ●
    Circle,
    /// ◆
    Diamond,
    /// ▲
    Triangle,
    /// ■
    Square,
}

impl Shape {
    /// Shape of the dataset at that position.
    pub(crate) fn of(position: usize) -> Self {
        [Shape::Circle, Shape::Diamond, Shape::Triangle, Shape::Square][position % 4]
    }

    /// The element; shapes of one radius look equally large.
    pub(crate) fn element(self, x: f64, y: f64, r: f64) -> String {
        match self {
            Shape::Circle => format!("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"/>", number(x), number(y), number(r)),
            Shape::Diamond => {
                let a = 1.25 * r;
                let d = number(a);
                format!("<path d=\"M{} {}l{d} {d}-{d} {d}-{d}-{d}z\"/>", number(x), number(y - a))
            }
            Shape::Triangle => {
                let (w, h) = (1.2 * r, 2.1 * r);
                format!("<path d=\"M{} {}l{} {}h{}z\"/>", number(x), number(y - 1.3 * r), number(w), number(h), number(-2.0 * w))
            }
            Shape::Square => {
                let s = 1.77 * r;
                let d = number(s);
                format!("<path d=\"M{} {}h{d}v{d}h-{d}z\"/>", number(x - 0.5 * s), number(y - 0.5 * s))
            }
        }
    }
}

/// How a marker is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Paint {
    pub(crate) color: Color,
    pub(crate) shape: Shape,
    /// Outline only.
    pub(crate) open: bool,
}

impl Paint {
    /// Attributes of the group that holds such markers; `count` markers share the panel.
    pub(crate) fn attributes(self, count: usize) -> String {
        let (fill, edge) = (self.color.hex(), self.color.outline().hex());
        match count {
            // White inside keeps few outlines clear; many would hide what lies below.
            0..=1500 if self.open => format!("fill=\"#fff\" fill-opacity=\".55\" stroke=\"{edge}\" stroke-width=\"1.1\""),
            _ if self.open => format!("fill=\"none\" stroke=\"{edge}\" stroke-opacity=\".6\" stroke-width=\".6\""),
            // A bright colour would fade into the paper: it gets an outline of its own hue.
            _ if edge != fill => format!("fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\".5\""),
            0..=700 => format!("fill=\"{fill}\" fill-opacity=\".85\" stroke=\"#fff\" stroke-width=\".5\""),
            701..=3000 => format!("fill=\"{fill}\" fill-opacity=\".7\""),
            _ => format!("fill=\"{fill}\" fill-opacity=\".6\""),
        }
    }
}

/// Radius of a marker where `count` share a panel of that side.
pub(crate) fn radius(count: usize, side: f64) -> f64 {
    let base = side / 300.0;
    (2.5 * (300.0 / count.max(1) as f64).powf(0.28)).clamp(1.25, 3.6) * base.sqrt()
}
