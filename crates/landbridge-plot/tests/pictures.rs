//! Whole pictures: well-formed, harmless, the same every time, and small.

use landbridge_plot::{Color, Curve, LineChart, MAX_LABELS, PALETTE, Panel, PlotError, Scatter, Series, Shape, Style};

/// A small XML checker: tags nest, attributes are quoted and free of markup, entities are known, no character is
/// forbidden. Returns the texts between tags, unescaped.
fn well_formed(xml: &str) -> Result<Vec<String>, String> {
    let (mut open, mut texts, mut rest) = (vec![], vec![], xml);
    if let Some(c) = xml.chars().find(|&c| c.is_control() && c != '\n') {
        return Err(format!("control character {c:?}"));
    }
    while let Some(start) = rest.find('<') {
        texts.push(unescape(&rest[..start])?);
        let end = rest.find('>').ok_or("a tag without end")?;
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            let opened: Option<String> = open.pop();
            if opened.as_deref() != Some(name) {
                return Err(format!("</{name}> closes {opened:?}"));
            }
            continue;
        }
        let (tag, closed) = tag.strip_suffix('/').map_or((tag, false), |t| (t, true));
        let mut parts = tag.splitn(2, ' ');
        let name = parts.next().unwrap_or_default();
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphabetic()) {
            return Err(format!("tag name {name:?}"));
        }
        let mut attributes = parts.next().unwrap_or_default();
        while !attributes.trim().is_empty() {
            let (key, after) = attributes.split_once("=\"").ok_or(format!("attribute in {tag:?}"))?;
            let (value, after) = after.split_once('"').ok_or(format!("unclosed attribute in {tag:?}"))?;
            if !key.trim().chars().all(|c| c.is_ascii_alphanumeric() || c == '-') || value.contains('<') {
                return Err(format!("attribute {key}={value}"));
            }
            unescape(value)?;
            attributes = after;
        }
        if !closed {
            open.push(name.to_string());
        }
        if open.is_empty() && !rest.trim().is_empty() {
            return Err("something after the root".into());
        }
    }
    if !open.is_empty() || !rest.trim().is_empty() {
        return Err(format!("still open: {open:?}"));
    }
    Ok(texts.into_iter().filter(|t| !t.trim().is_empty()).collect())
}

fn unescape(text: &str) -> Result<String, String> {
    let mut out = text.to_string();
    for (entity, c) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "\u{1}")] {
        out = out.replace(entity, c);
    }
    if out.contains('&') {
        return Err(format!("entity in {text:?}"));
    }
    Ok(out.replace('\u{1}', "&"))
}

fn grid(n: usize) -> Vec<[f64; 2]> {
    (0..n).map(|i| [(i % 97) as f64, (i * i % 89) as f64]).collect()
}

fn labels(n: usize, kinds: usize) -> Vec<String> {
    (0..n).map(|i| format!("kind {}", i % kinds)).collect()
}

fn figure() -> Scatter {
    Scatter::new("title").subtitle("scores").panel(Panel::new("before").series(Series::new("en", grid(30)))).panel(
        Panel::new("after")
            .series(Series::new("en", grid(30)))
            .series(Series::new("it", grid(20)))
            .line([0.0, 0.0], [1.0, 1.0])
            .note("a note"),
    )
}

/// No number of the picture is NaN or infinite, and none has more than two decimals.
fn numbers_are_fine(svg: &str) {
    let body = &svg[svg.find("<rect").unwrap()..];
    assert!(!body.contains("NaN") && !body.contains("inf"), "{body}");
    for (at, _) in body.match_indices('.') {
        let decimals = body[at + 1..].chars().take_while(char::is_ascii_digit).count();
        assert!(decimals <= 2, "{}", &body[at.saturating_sub(10)..at + 10]);
    }
}

#[test]
fn the_checker_finds_what_is_wrong() {
    for bad in ["<a>", "<a></b>", "<a b=c/>", "<a b=\"<\"/>", "<a>&x</a>", "<a/><b/>", "<a>\u{7}</a>", "<a/>text"] {
        assert!(well_formed(bad).is_err(), "{bad:?}");
    }
    assert_eq!(well_formed("<a b=\"1\">x &lt; y<c/></a>").unwrap(), ["x < y"]);
}

#[test]
fn a_figure_is_well_formed_and_says_everything() {
    let svg = figure().render().unwrap();
    let texts = well_formed(&svg).unwrap();
    for text in ["title", "scores", "before", "after", "a note", "en", "it", "known pair", "a", "b"] {
        assert!(texts.iter().any(|t| t == text), "{text:?} in {texts:?}");
    }
    numbers_are_fine(&svg);
    assert_eq!(svg.matches("<circle").count(), 30 + 30 + 1, "en: two panels and the legend");
    assert_eq!(svg.matches("<g fill=\"#d55e00\"").count(), 8 + 1, "it: eight layers and the legend");
}

#[test]
fn the_same_figure_gives_the_same_bytes() {
    let labelled = || {
        let series = Series::new("en", grid(500)).labels(labels(500, 30));
        Scatter::new("t").panel(Panel::new("p").series(series)).render().unwrap()
    };
    assert_eq!(labelled(), labelled());
    assert_eq!(figure().render().unwrap(), figure().render().unwrap());
}

#[test]
fn hostile_texts_stay_text() {
    for payload in [
        "</text><script>alert(1)</script>",
        "\" onload=\"alert(1)",
        "a & b < c > 'd'",
        "x\u{0}\u{1b}[2J\u{7f}\n]]>",
        "&amp;",
        "\u{FFFF}",
    ] {
        let n = 5;
        let series = |name: &str| Series::new(name, grid(n)).labels(vec![payload.to_string(); n]);
        let panel = Panel::new(payload).series(series(payload)).series(series("it")).note(payload).line([0.0, 0.0], [1.0, 1.0]);
        let svg = Scatter::new(payload).subtitle(payload).panel(panel).render().unwrap();
        let texts = well_formed(&svg).unwrap_or_else(|why| panic!("{payload:?}: {why}"));
        assert!(!svg.contains("<script") && !svg.contains("\" onload"), "{svg}");
        if payload.starts_with("a &") {
            assert_eq!(texts.iter().filter(|t| *t == payload).count(), 7, "three titles, subtitle, note, name, label: {texts:?}");
        }
        let chart = LineChart::new(payload).subtitle(payload).axes(payload, payload).curve(Curve::new(payload, grid(5)));
        well_formed(&chart.render().unwrap()).unwrap_or_else(|why| panic!("{payload:?}: {why}"));
    }
}

#[test]
fn many_points_are_thinned_and_the_note_says_so() {
    let n = 30_000;
    let series = |name: &str| Series::new(name, grid(n)).labels(labels(n, 3));
    let figure = Scatter::new("many")
        .panel(Panel::new("en").series(series("en")))
        .panel(Panel::new("it").series(series("it")))
        .panel(Panel::new("joint").series(series("en")).series(series("it")).lines(vec![[[0.0, 0.0], [1.0, 1.0]]; 5000]));
    let svg = figure.render().unwrap();
    let texts = well_formed(&svg).unwrap();
    assert!(texts.iter().any(|t| t == "4,000 of 30,000 drawn"), "{texts:?}");
    assert!(texts.iter().any(|t| t == "8,000 of 60,000 drawn · 2,000 of 5,000 pairs drawn"), "{texts:?}");
    assert_eq!(svg.matches("<circle").count(), 4000 + 4000 + 1 + 3);
    assert!(svg.len() < 1_000_000, "{} bytes", svg.len());
    let crowd = (0..40).fold(Scatter::new("crowd"), |f, i| f.panel(Panel::new("p").series(series(&format!("s{i}")))));
    let size = crowd.render().unwrap().len();
    assert!(size < 1_500_000, "{size} bytes for 40 panels");
    assert!(!crowd.max_points(0).render().unwrap().contains("NaN"));
}

#[test]
fn points_that_are_not_finite_are_refused_with_their_place() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut points = grid(5);
        points[3][1] = bad;
        let error = Scatter::new("t").panel(Panel::new("p").series(Series::new("en", points.clone()))).render().unwrap_err();
        assert!(matches!(error, PlotError::NotFinite { point: 3, .. }), "{error}");
        let line = Scatter::new("t").panel(Panel::new("p").line([0.0, bad], [0.0, 0.0]));
        assert!(matches!(line.render(), Err(PlotError::NotFinite { point: 0, .. })));
        let chart = LineChart::new("c").curve(Curve::new("x", points));
        assert!(matches!(chart.render(), Err(PlotError::NotFinite { point: 3, .. })));
        assert!(LineChart::new("c").curve(Curve::new("x", grid(3))).y_range(0.0, bad).render().is_err());
    }
    let error = Scatter::new("t").panel(Panel::new("p").series(Series::new("en", grid(2)).labels(labels(3, 2)))).render();
    assert_eq!(error.unwrap_err().to_string(), "\"en\" has 2 points but 3 labels");
    assert!(matches!(Scatter::new("t").render(), Err(PlotError::Nothing { .. })));
}

#[test]
fn degenerate_extents_and_empty_series_are_drawn() {
    let clouds: [Vec<[f64; 2]>; 7] = [
        vec![],
        vec![[5.0, 5.0]; 9],
        vec![[1.0, 2.0]],
        vec![[0.0, 3.0], [1.0, 3.0]],
        vec![[-f64::MAX, -f64::MAX], [f64::MAX, f64::MAX]],
        vec![[0.0, 0.0], [5e-324, 1e-320]],
        vec![[1e300, 1e-300], [1e300 + 1e285, 2e-300]],
    ];
    for cloud in clouds {
        for equal in [true, false] {
            let panel = Panel::new("p").series(Series::new("s", cloud.clone())).equal_aspect(equal);
            let svg = Scatter::new("t").panel(panel.clone()).render().unwrap();
            let texts = well_formed(&svg).unwrap();
            numbers_are_fine(&svg);
            assert_eq!(texts.iter().any(|t| t == "no points"), cloud.is_empty());
            panel.to_text(20, 8).unwrap();
            panel.to_braille(20, 8, true).unwrap();
        }
        if !cloud.is_empty() {
            let svg = LineChart::new("t").curve(Curve::new("c", cloud)).curve(Curve::new("none", vec![])).render().unwrap();
            well_formed(&svg).unwrap();
            numbers_are_fine(&svg);
        }
    }
    well_formed(&Scatter::new("").panel(Panel::new("")).columns(0).render().unwrap()).unwrap();
}

#[test]
fn equal_aspect_keeps_shapes() {
    let wide = vec![[0.0, 0.0], [10.0, 0.0], [0.0, 1.0]];
    let places = |equal| {
        let svg =
            Scatter::new("t").panel(Panel::new("p").series(Series::new("s", wide.clone())).equal_aspect(equal)).render().unwrap();
        let read = |part: &str, key: &str| -> f64 { part.split_once(key).unwrap().1.split('"').next().unwrap().parse().unwrap() };
        svg.split("<circle").skip(1).take(3).map(|c| [read(c, "cx=\""), read(c, "cy=\"")]).collect::<Vec<_>>()
    };
    let p = places(true);
    assert!(((p[1][0] - p[0][0]) - 10.0 * (p[0][1] - p[2][1])).abs() < 0.2, "{p:?}");
    let p = places(false);
    assert!(((p[1][0] - p[0][0]) - (p[0][1] - p[2][1])).abs() < 0.02, "{p:?}");
}

#[test]
fn eight_labels_have_colours_and_the_rest_are_grey() {
    let mut kinds = labels(200, 10);
    kinds.extend(vec!["rare".to_string(); 2]);
    let svg = Scatter::new("t").panel(Panel::new("p").series(Series::new("s", grid(202)).labels(kinds))).render().unwrap();
    let texts = well_formed(&svg).unwrap();
    assert!(texts.iter().any(|t| t == "3 other labels"), "{texts:?}");
    assert_eq!(texts.iter().filter(|t| t.starts_with("kind ")).count(), MAX_LABELS);
    assert!(PALETTE.iter().all(|c| svg.contains(&c.hex())), "every colour is used");
    // Natural order: 2 before 10.
    let texts = well_formed(
        &Scatter::new("t")
            .panel(Panel::new("p").series(Series::new("s", grid(3)).labels(vec!["b 10".into(), "b 2".into(), "a".into()])))
            .render()
            .unwrap(),
    );
    assert!(texts.unwrap().ends_with(&["a".into(), "b 2".into(), "b 10".into()]));
}

#[test]
fn a_style_of_ones_own_wins() {
    let style = Style { shape: Some(Shape::Square), color: Some(Color(1, 2, 3)), open: Some(true) };
    let svg = Scatter::new("t").panel(Panel::new("p").series(Series::new("s", grid(3)).style(style))).render().unwrap();
    assert!(svg.contains("stroke=\"#010203\"") && !svg.contains("<circle"), "{svg}");
}

#[test]
fn logarithmic_axes_have_powers_of_ten_and_refuse_zero() {
    let chart = |values: &[f64]| LineChart::new("spectrum").log_y(true).curve(Curve::values("L", values));
    let texts = well_formed(&chart(&[1e-6, 1e-3, 1.0]).render().unwrap()).unwrap();
    for tick in ["1e-6", "0.001", "1"] {
        assert!(texts.iter().any(|t| t == tick), "{tick} in {texts:?}");
    }
    assert!(matches!(chart(&[1.0, 0.0]).render(), Err(PlotError::NotPositive { point: 1, .. })));
    assert!(chart(&[1e-300, 1e300]).render().is_ok());
    assert!(LineChart::new("empty").render().is_err());
}

#[test]
fn every_curve_is_in_the_legend() {
    let many =
        (0..25).fold(LineChart::new("c"), |c, i| c.curve(Curve::values(format!("curve number {i}"), &[1.0, f64::from(i)])));
    let texts = well_formed(&many.render().unwrap()).unwrap();
    assert_eq!(texts.iter().filter(|t| t.starts_with("curve number")).count(), 25);
}

#[test]
fn names_of_any_file_stay_text() {
    assert_eq!(landbridge_plot::escape("</script><b a='\"&"), "&lt;/script&gt;&lt;b a=&#39;&quot;&amp;");
    assert_eq!(landbridge_plot::escape("a\u{202E}b\u{0}c\u{7f}"), "a\u{FFFD}b\u{FFFD}c\u{FFFD}");
}

#[test]
fn marks_are_named_within_the_frame_and_highlighted_labels_have_the_colours() {
    let points: Vec<[f64; 2]> = (0..40).map(|i| [f64::from(i), f64::from(i * i % 11)]).collect();
    let labels: Vec<String> = (0..40).map(|i| format!("l{}", i % 12)).collect();
    let panel = Panel::new("p")
        .series(Series::new("s", points.clone()).labels(labels))
        .mark(points[39], "<last>")
        .mark(points[0], "first");
    let svg = Scatter::new("t").panel(panel.clone()).highlight(vec!["l11".into()]).render().unwrap();
    assert!(svg.contains("text-anchor=\"end\">&lt;last&gt;</text>") && svg.contains(">first</text>"));
    assert!(svg.contains(">l11</text>") && svg.contains("11 other labels") && !svg.contains(">l3</text>"));
    let bad = panel.mark([f64::NAN, 0.0], "nowhere");
    assert!(Scatter::new("t").panel(bad).render().is_err());
}
