//! The few SVG elements the pictures need.

use std::fmt::Write as _;

/// Fonts that readers have installed.
pub(crate) const FONTS: &str =
    "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Inter, 'Helvetica Neue', Arial, 'Liberation Sans', sans-serif";
pub(crate) const INK: &str = "#1f2328";
pub(crate) const MUTED: &str = "#636c76";
pub(crate) const FRAME: &str = "#d5d9de";
pub(crate) const PAPER: &str = "#ffffff";

/// Which side of its place a text is on.
#[derive(Clone, Copy)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// SVG text under construction.
pub(crate) struct Svg {
    out: String,
}

impl Svg {
    /// The head of a picture: size, background, and a title for screen readers.
    pub(crate) fn new(width: f64, height: f64, title: &str, description: &str) -> Self {
        let (w, h) = (number(width), number(height));
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" role=\"img\" font-family=\"{FONTS}\">\n"
        );
        let _ = writeln!(out, "<title>{}</title>\n<desc>{}</desc>", escape(title), escape(description));
        let _ = writeln!(out, "<rect width=\"{w}\" height=\"{h}\" rx=\"6\" fill=\"{PAPER}\"/>");
        Self { out }
    }

    /// A piece of markup as it is.
    pub(crate) fn raw(&mut self, markup: &str) {
        self.out.push_str(markup);
    }

    pub(crate) fn text(&mut self, x: f64, y: f64, size: f64, weight: u16, color: &str, anchor: Anchor, text: &str) {
        if text.is_empty() {
            return;
        }
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let weight = if weight == 400 { String::new() } else { format!(" font-weight=\"{weight}\"") };
        let (x, y, size, text) = (number(x), number(y), number(size), escape(text));
        let _ =
            writeln!(self.out, "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{color}\"{weight}{anchor}>{text}</text>");
    }

    pub(crate) fn line(&mut self, from: [f64; 2], to: [f64; 2], color: &str, width: f64) {
        let [x1, y1, x2, y2] = [from[0], from[1], to[0], to[1]].map(number);
        let width = number(width);
        let _ =
            writeln!(self.out, "<path d=\"M{x1} {y1}L{x2} {y2}\" stroke=\"{color}\" stroke-width=\"{width}\" fill=\"none\"/>");
    }

    pub(crate) fn frame(&mut self, x: f64, y: f64, width: f64, height: f64) {
        let [x, y, width, height] = [x, y, width, height].map(number);
        let _ = writeln!(
            self.out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"3\" fill=\"#fbfcfd\" stroke=\"{FRAME}\"/>"
        );
    }

    pub(crate) fn finish(mut self) -> String {
        self.out.push_str("</svg>\n");
        self.out
    }
}

/// Two decimals, no trailing zeros, never `-0`.
pub(crate) fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" || text.is_empty() { "0".into() } else { text.into() }
}

/// Text that XML may hold: markup characters as entities, white space as blanks, what XML 1.0 forbids as U+FFFD.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(' '),
            // Overrides of the direction of text would reorder what follows.
            '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => out.push('\u{FFFD}'),
            c if c.is_control() || c == '\u{FFFE}' || c == '\u{FFFF}' => out.push('\u{FFFD}'),
            c => out.push(c),
        }
    }
    out
}

/// About how wide a text is: fonts are chosen by the reader's machine, so this is an estimate on the safe side.
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    let units = |c: char| match c {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | ' ' | '(' | ')' => 0.32,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.9,
        c if c.is_uppercase() => 0.7,
        c if (c as u32) < 0x1100 => 0.57,
        _ => 1.05,
    };
    size * text.chars().map(units).sum::<f64>()
}

/// The text, cut with an ellipsis where it would be wider than there is room.
pub(crate) fn fit(text: &str, size: f64, room: f64) -> String {
    if text_width(text, size) <= room {
        return text.into();
    }
    let (mut kept, mut width) = (String::new(), text_width("…", size));
    for c in text.chars() {
        width += text_width(c.encode_utf8(&mut [0; 4]), size);
        if width > room {
            break;
        }
        kept.push(c);
    }
    format!("{}…", kept.trim_end())
}

/// 12345 as `12,345`.
pub fn thousands(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let cases = [(1.0, "1"), (1.25, "1.25"), (100.0, "100"), (0.001, "0"), (-0.001, "0"), (-3.5, "-3.5"), (12.999, "13")];
        for (value, text) in cases {
            assert_eq!(number(value), text);
        }
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(thousands(999), "999");
    }

    #[test]
    fn markup_and_forbidden_characters_become_harmless() {
        assert_eq!(escape("a<b & \"c\" 'd'>"), "a&lt;b &amp; &quot;c&quot; &#39;d&#39;&gt;");
        assert_eq!(escape("x\u{0}y\u{1b}z\nw\u{FFFE}"), "x\u{FFFD}y\u{FFFD}z w\u{FFFD}");
        assert_eq!(escape("日本 é 😀"), "日本 é 😀");
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(fit("short", 10.0, 100.0), "short");
        let cut = fit(&"long ".repeat(50), 10.0, 100.0);
        assert!(cut.ends_with('…') && text_width(&cut, 10.0) <= 100.0, "{cut}");
        assert_eq!(fit("word", 10.0, 0.0), "…");
    }
}
