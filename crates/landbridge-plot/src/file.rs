//! From SVG text to the bytes of a file: .svg as it is, .png in twice the size, .pdf with letters as outlines.
//!
//! Pixels and PDF need letters. The crate brings a font of its own (Ubuntu Light, through `epaint_default_fonts`), so that a picture has
//! the same bytes on every machine. It has Latin, Greek and Cyrillic letters; other scripts need .svg, which browsers draw with their
//! own fonts.

use crate::{PlotError, Result};
use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref};
use resvg::tiny_skia::{PathSegment, Pixmap, Transform};
use resvg::usvg::fontdb::{Database, ID};
use resvg::usvg::{Group, Node, Options, Paint, Path as Shape, Tree};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// Pixels per unit of a picture in .png.
const SCALE: f32 = 2.0;

/// How a picture is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text for browsers and editors.
    Svg,
    /// Pixels.
    Png,
    /// A page for print.
    Pdf,
}

impl Kind {
    /// By the ending of a file's name.
    pub fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        [("svg", Self::Svg), ("png", Self::Png), ("pdf", Self::Pdf)].into_iter().find(|(name, _)| *name == ending).map(|k| k.1)
    }

    /// The bytes of a picture. A note tells if the font lacks some of its letters.
    pub fn encode(self, svg: &str) -> Result<(Vec<u8>, Option<String>)> {
        if self == Self::Svg {
            return Ok((svg.as_bytes().to_vec(), None));
        }
        let failed = |problem: String| PlotError::NotConverted { problem };
        let options = Options { fontdb: fonts(), font_family: "Ubuntu".into(), ..Options::default() };
        let tree = Tree::from_str(svg, &options).map_err(|e| failed(e.to_string()))?;
        let bytes = match self {
            Self::Pdf => page(&tree),
            _ => {
                let size = tree.size();
                let side = |units: f32| (SCALE * units).ceil() as u32;
                let mut pixels = Pixmap::new(side(size.width()), side(size.height()))
                    .ok_or_else(|| failed(format!("{} x {} units are too many pixels", size.width(), size.height())))?;
                resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
                pixels.encode_png().map_err(|e| failed(e.to_string()))?
            }
        };
        let lacking = lacking_letters(svg);
        let note = (!lacking.is_empty()).then(|| {
            format!("letters that the font of .png and .pdf files lacks are drawn as boxes ({lacking}); .svg shows them")
        });
        Ok((bytes, note))
    }
}

/// Points of print per unit of a picture.
const POINTS: f32 = 0.75;

/// A page of the size of the picture: filled and drawn outlines, nothing else.
fn page(tree: &Tree) -> Vec<u8> {
    let (catalog, pages, page, drawing) = (Ref::new(1), Ref::new(2), Ref::new(3), Ref::new(4));
    let (width, height) = (POINTS * tree.size().width(), POINTS * tree.size().height());
    let mut content = Content::new();
    content.transform([POINTS, 0.0, 0.0, -POINTS, 0.0, height]); // y grows upwards on paper
    let mut shades: BTreeMap<u32, String> = BTreeMap::new();
    draw_group(tree.root(), 1.0, &mut content, &mut shades);
    let mut pdf = Pdf::new();
    pdf.catalog(catalog).pages(pages);
    pdf.pages(pages).kids([page]).count(1);
    let mut written = pdf.page(page);
    written.parent(pages).media_box(Rect::new(0.0, 0.0, width, height)).contents(drawing);
    let mut resources = written.resources();
    let mut states = resources.ext_g_states();
    for (at, name) in shades.values().enumerate() {
        states.pair(Name(name.as_bytes()), Ref::new(5 + at as i32));
    }
    states.finish();
    resources.finish();
    written.finish();
    for (at, bits) in shades.keys().enumerate() {
        let opacity = f32::from_bits(*bits);
        pdf.ext_graphics(Ref::new(5 + at as i32)).non_stroking_alpha(opacity).stroking_alpha(opacity);
    }
    pdf.stream(drawing, &content.finish());
    pdf.finish()
}

fn draw_group(group: &Group, opacity: f32, content: &mut Content, shades: &mut BTreeMap<u32, String>) {
    let opacity = opacity * group.opacity().get();
    for node in group.children() {
        match node {
            Node::Group(inner) => draw_group(inner, opacity, content, shades),
            Node::Path(shape) => draw_shape(shape, opacity, content, shades),
            Node::Text(text) => draw_group(text.flattened(), opacity, content, shades),
            Node::Image(_) => {}
        }
    }
}

fn draw_shape(shape: &Shape, opacity: f32, content: &mut Content, shades: &mut BTreeMap<u32, String>) {
    let color = |paint: &Paint| match paint {
        Paint::Color(c) => Some([c.red, c.green, c.blue].map(|v| f32::from(v) / 255.0)),
        _ => None,
    };
    let mut shade = |content: &mut Content, opacity: f32| {
        let number = shades.len();
        let name = shades.entry(opacity.to_bits()).or_insert_with(|| format!("S{number}"));
        content.set_parameters(Name(name.as_bytes()));
    };
    let t = shape.abs_transform();
    for (paint, alpha, width) in [
        shape.fill().map(|f| (f.paint(), f.opacity().get(), None)),
        shape.stroke().map(|s| (s.paint(), s.opacity().get(), Some(s.width().get()))),
    ]
    .into_iter()
    .flatten()
    {
        let Some([r, g, b]) = color(paint) else { continue };
        content.save_state().transform([t.sx, t.ky, t.kx, t.sy, t.tx, t.ty]);
        shade(content, alpha * opacity);
        let mut at = (0.0, 0.0);
        for segment in shape.data().segments() {
            match segment {
                PathSegment::MoveTo(p) => _ = content.move_to(p.x, p.y),
                PathSegment::LineTo(p) => _ = content.line_to(p.x, p.y),
                // A quadratic curve as a cubic one.
                PathSegment::QuadTo(c, p) => {
                    let third = |from: f32, control: f32| from + 2.0 / 3.0 * (control - from);
                    let (x1, y1) = (third(at.0, c.x), third(at.1, c.y));
                    content.cubic_to(x1, y1, third(p.x, c.x), third(p.y, c.y), p.x, p.y);
                }
                PathSegment::CubicTo(c, d, p) => _ = content.cubic_to(c.x, c.y, d.x, d.y, p.x, p.y),
                PathSegment::Close => _ = content.close_path(),
            }
            if let PathSegment::MoveTo(p) | PathSegment::LineTo(p) | PathSegment::QuadTo(_, p) | PathSegment::CubicTo(_, _, p) =
                segment
            {
                at = (p.x, p.y);
            }
        }
        match width {
            Some(width) => content.set_stroke_rgb(r, g, b).set_line_width(width).stroke(),
            None => content.set_fill_rgb(r, g, b).fill_nonzero(),
        };
        content.restore_state();
    }
}

fn fonts() -> Arc<Database> {
    static FONTS: OnceLock<Arc<Database>> = OnceLock::new();
    let load = || {
        let mut fonts = Database::new();
        fonts.load_font_data(epaint_default_fonts::UBUNTU_LIGHT.to_vec());
        fonts.set_sans_serif_family("Ubuntu");
        Arc::new(fonts)
    };
    FONTS.get_or_init(load).clone()
}

/// Some of the letters between tags that the font lacks.
fn lacking_letters(svg: &str) -> String {
    let fonts = fonts();
    let Some(id): Option<ID> = fonts.faces().next().map(|face| face.id) else { return String::new() };
    let mut shown: Vec<char> = vec![];
    let mut inside = false;
    for c in svg.chars() {
        match c {
            '<' => inside = true,
            '>' => inside = false,
            c if !inside && !c.is_whitespace() && !c.is_ascii() => shown.push(c),
            _ => {}
        }
    }
    shown.sort_unstable();
    shown.dedup();
    let lacking = fonts.with_face_data(id, |data, index| match ttf_parser::Face::parse(data, index) {
        Ok(face) => shown.iter().filter(|c| face.glyph_index(**c).is_none()).take(5).collect(),
        Err(_) => String::new(),
    });
    lacking.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Panel, Scatter, Series};

    fn picture(title: &str) -> String {
        let series = Series::new("a", vec![[0.0, 1.0], [2.0, 3.0], [1.0, 0.5]]);
        Scatter::new(title).panel(Panel::new("joint space").series(series)).render().unwrap()
    }

    #[test]
    fn pixels_and_pages_show_the_picture_and_are_the_same_every_time() {
        let svg = picture("Two rolls");
        let (png, note) = Kind::Png.encode(&svg).unwrap();
        assert!(png.starts_with(b"\x89PNG") && note.is_none());
        let pixels = Pixmap::decode_png(&png).unwrap();
        let dark = pixels.pixels().iter().filter(|p| p.red() < 100 && p.alpha() > 200).count();
        assert!(dark > 200, "the title is drawn: {dark} dark pixels");
        let without = Pixmap::decode_png(&Kind::Png.encode(&picture(" ")).unwrap().0).unwrap();
        assert!(without.pixels().iter().filter(|p| p.red() < 100 && p.alpha() > 200).count() < dark);
        let (pdf, _) = Kind::Pdf.encode(&svg).unwrap();
        assert!(pdf.starts_with(b"%PDF-") && pdf.windows(5).any(|w| w == b"%%EOF"));
        for _ in 0..3 {
            assert!(png == Kind::Png.encode(&svg).unwrap().0, "pixels");
            assert!(pdf == Kind::Pdf.encode(&svg).unwrap().0, "page");
        }
        assert!(Kind::Svg.encode(&svg).unwrap().0 == svg.as_bytes());
    }

    #[test]
    fn letters_that_the_font_lacks_are_told() {
        let (_, note) = Kind::Png.encode(&picture("字 and Ω, Ж, é")).unwrap();
        let note = note.unwrap();
        assert!(note.contains('字') && !note.contains('Ω') && !note.contains('Ж'), "{note}");
    }

    #[test]
    fn the_ending_tells_the_kind() {
        assert_eq!(Kind::of(Path::new("a/b.PNG")), Some(Kind::Png));
        assert_eq!(Kind::of(Path::new("b.pdf")), Some(Kind::Pdf));
        assert_eq!((Kind::of(Path::new("b.jpg")), Kind::of(Path::new("svg"))), (None, None));
    }
}
