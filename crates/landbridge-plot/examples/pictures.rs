//! Writes the pictures this crate can draw, from made-up data, into a folder: `cargo run -p landbridge-plot --example pictures -- folder`.

use landbridge_plot::{Curve, LineChart, Panel, PlotError, Scatter, Series};

/// Numbers that look random, always the same.
struct Numbers(u64);
impl Numbers {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
    fn noise(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }
}

/// A sheet as a roll, as an S and as both in one space; labels are bands along it.
fn rolls(n: usize, bands: usize, labelled: bool) -> Scatter {
    let mut numbers = Numbers(7);
    let sheet: Vec<[f64; 2]> = (0..n).map(|_| [numbers.uniform(), numbers.uniform()]).collect();
    let labels: Vec<String> = sheet.iter().map(|p| format!("band {}", 1 + (p[0] * bands as f64) as usize)).collect();
    let roll = sheet.iter().map(|p| {
        let t = 4.7 + 9.4 * p[0];
        [t * t.cos() + 0.15 * p[1], t * t.sin() + 4.0 * p[1]]
    });
    let curve = sheet.iter().map(|p| {
        let t = 9.4 * (p[0] - 0.5);
        [t.sin() + 0.5 * p[1], t.signum() * (t.cos() - 1.0) + 0.5 * p[1]]
    });
    let mut joint = |spread: f64| -> Vec<[f64; 2]> {
        sheet.iter().map(|p| [2.2 * p[0] + spread * numbers.noise(), p[1] + spread * numbers.noise()]).collect()
    };
    let (first, second) = (joint(0.006), joint(0.02));
    let lines: Vec<[[f64; 2]; 2]> = (0..n).step_by((n / 60).max(1)).map(|i| [first[i], second[i]]).collect();
    let series = |name: &str, points: Vec<[f64; 2]>| {
        let series = Series::new(name, points);
        if labelled { series.labels(labels.clone()) } else { series }
    };
    Scatter::new("One sheet, rolled in two ways")
        .subtitle("A drawing, not a result: places computed by formula · method and scores go here")
        .panel(Panel::new("roll, before").series(series("roll", roll.collect())).note(format!("{n} points, 3 features")))
        .panel(Panel::new("sheet, before").series(series("sheet", curve.collect())).note(format!("{n} points, 3 features")))
        .panel(Panel::new("joint space, after").series(series("roll", first)).series(series("sheet", second)).lines(lines))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::path::PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| ".".into()));
    let recall = |scale: f64| (0..6).map(|i| 2f64.powi(i)).map(|k| [k, 1.0 - (1.0 - scale) * k.powf(-0.7)]).collect();
    let chart = LineChart::new("Recall at k")
        .subtitle("A drawing, not a result: curves computed by formula")
        .axes("k", "recall@k")
        .log_x(true)
        .y_range(0.0, 1.0)
        .curve(Curve::new("first", recall(0.71)))
        .curve(Curve::new("second", recall(0.52)))
        .curve(Curve::new("third", recall(0.33)));
    let values: Vec<f64> = (1..=200).map(|i| 1e-6 * f64::from(i * i)).collect();
    let spectrum =
        LineChart::new("A slow spectrum").axes("component", "eigenvalue").log_y(true).curve(Curve::values("Laplacian", &values));
    let pictures: [(&str, Result<String, PlotError>); 5] = [
        ("rolls.svg", rolls(400, 6, true).render()),
        ("datasets.svg", rolls(400, 6, false).render()),
        ("many.svg", rolls(20_000, 12, true).render()),
        ("recall.svg", chart.render()),
        ("spectrum.svg", spectrum.render()),
    ];
    for (name, picture) in pictures {
        std::fs::write(folder.join(name), picture?)?;
    }
    let panel = &rolls(400, 6, true).panels[2];
    println!("{}\n{}", panel.to_text(60, 14)?, panel.to_braille(60, 14, true)?);
    Ok(())
}
