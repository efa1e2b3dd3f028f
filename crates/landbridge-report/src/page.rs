//! The text of the page: policy, summary, viewer, data.

use crate::columns::{cut, short};
use crate::pack::Parts;
use crate::picture::{Axes, counted, joint_panel, listed, undrawn};
use crate::verdict::{Verdict, verdict};
use crate::{diagnosis, partners, shown};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use landbridge::Result;
use landbridge::model::{Alignment, Fitted};
use landbridge::progress::Progress;
use landbridge_plot::{Scatter, escape, thousands};
use sha2::{Digest, Sha256};

/// The viewer, built from `web/` by `cargo xtask web`.
const SCRIPT: &str = include_str!("../assets/viewer.js");
const STYLE: &str = include_str!("../assets/viewer.css");
/// Points of one dataset in the small picture.
const SMALL: usize = 400;

/// Bytes of a page without data, about.
pub(crate) fn viewer_bytes() -> usize {
    SCRIPT.len() + STYLE.len() + 60_000
}

/// How a policy names an inline script or style.
fn checksum(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text.as_bytes())))
}

/// Method, sizes and pairs in a line.
pub(crate) fn facts(alignment: &Alignment) -> String {
    let sizes: Vec<String> = alignment
        .datasets()
        .iter()
        .map(|d| format!("{} × {} ({})", thousands(d.nrows()), counted(d.n_features(), "feature"), short(d.name())))
        .collect();
    format!(
        "{} alignment · {} · {} · {} given",
        alignment.method().replace('_', "-"),
        sizes.join(", "),
        counted(alignment.n_components(), "component"),
        counted(alignment.pairs().len(), "pair")
    )
}

/// The joint space as a small picture; `None` without rows.
fn small_picture(alignment: &Alignment) -> Result<Option<String>> {
    if !alignment.has_rows() {
        return Ok(None);
    }
    let axes = if alignment.n_components() > 1 { Axes::Two(0, 1) } else { Axes::One(0) };
    let labelled = alignment.datasets().iter().any(|d| d.labels().is_some());
    let names: Vec<String> = alignment.datasets().iter().map(|d| short(d.name())).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let figure = Scatter::new(listed(&names)).panel(joint_panel(alignment, axes, labelled, &[])).max_points(SMALL).columns(1);
    figure.render().map(Some).map_err(undrawn)
}

/// An alignment in a few lines of HTML with a small picture: no script, no style sheet, for notebooks.
pub fn summary(alignment: &Alignment) -> Result<String> {
    let shown = shown::Shown::choose(alignment, None, 2000);
    let quiet = Progress::silent();
    let report = crate::Report::new(alignment);
    let partners: Vec<partners::Partners> = vec![];
    let said = verdict(alignment, &diagnosis::diagnose(&report, &partners, &quiet)?);
    let picture = if shown.len() > 0 { small_picture(alignment)?.unwrap_or_default() } else { String::new() };
    let names: Vec<&str> = alignment.datasets().iter().map(Fitted::name).collect();
    let warnings: String =
        alignment.outcome().warnings.iter().map(|w| format!("<li>{}</li>", escape(&cut(&w.to_string(), 600)))).collect();
    let list = if warnings.is_empty() { String::new() } else { format!("<ul>{warnings}</ul>") };
    Ok(format!(
        "<div><p><strong>{}</strong><br>{}</p><p>{}</p>{list}{picture}</div>",
        escape(&cut(&listed(&names), 200)),
        escape(&facts(alignment)),
        escape(&said.sentence)
    ))
}

/// The whole page.
pub(crate) fn html(title: &str, facts: &str, said: &Verdict, notes: &[String], alignment: &Alignment, parts: &Parts) -> String {
    let policy = format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data: blob:; base-uri 'none'; form-action 'none'",
        checksum(SCRIPT),
        checksum(STYLE)
    );
    let title = escape(&cut(title, 200));
    let picture = small_picture(alignment).ok().flatten().unwrap_or_default();
    let items = |list: &[String]| list.iter().map(|n| format!("<li>{}</li>", escape(n))).collect::<String>();
    let size: usize = parts.list().iter().map(|(_, text)| text.len() + 64).sum();
    let mut out = String::with_capacity(SCRIPT.len() + STYLE.len() + size + picture.len() + 8192);
    out.push_str("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    out.push_str(&format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n"));
    out.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    out.push_str("<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n");
    out.push_str(&format!("<meta name=\"generator\" content=\"landbridge {}\">\n", env!("CARGO_PKG_VERSION")));
    out.push_str(&format!(
        "<title>{title}</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>{STYLE}</style>\n</head>\n<body>\n"
    ));
    out.push_str(&format!(
        "<header class=\"head\"><h1>{title}</h1><p class=\"facts\">{}</p>\n<div class=\"verdict {}\"><p><span class=\"mark\" aria-hidden=\"true\"></span>{}</p><ul>{}</ul></div>\n",
        escape(facts),
        said.level,
        escape(&cut(&said.sentence, 800)),
        items(&said.why.iter().map(|w| cut(w, 800)).collect::<Vec<_>>())
    ));
    if !notes.is_empty() {
        out.push_str(&format!(
            "<details class=\"notes\"><summary>What this page does not show ({})</summary><ul>{}</ul></details>\n",
            notes.len(),
            items(notes)
        ));
    }
    out.push_str("</header>\n<main id=\"app\"><p id=\"waiting\" role=\"status\">Unpacking the data …</p></main>\n");
    out.push_str(&format!(
        "<noscript><p>The picture below is all that this page shows without its script.</p>{picture}</noscript>\n"
    ));
    for (name, text) in parts.list() {
        out.push_str(&format!("<script type=\"application/octet-stream\" id=\"part-{name}\">{text}</script>\n"));
    }
    out.push_str(&format!("<script>{SCRIPT}</script>\n</body>\n</html>\n"));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_viewer_fits_between_its_tags() {
        let lower = SCRIPT.to_ascii_lowercase();
        assert!(!lower.contains("</script") && !lower.contains("<!--"), "the script would end early");
        assert!(!STYLE.to_ascii_lowercase().contains("</style"));
        assert!(SCRIPT.len() + STYLE.len() < 1_500_000);
    }
}
