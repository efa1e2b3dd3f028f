//! From data to places: extents that survive equal points and huge numbers, and round tick values.

/// Smallest and largest value of each axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extent {
    low: [f64; 2],
    high: [f64; 2],
}

impl Extent {
    /// Of finite points; 0 to 0 where there are none.
    pub(crate) fn of<'a>(points: impl Iterator<Item = &'a [f64; 2]>) -> Self {
        let mut extent: Option<Extent> = None;
        for &p in points {
            let e = extent.get_or_insert(Extent { low: p, high: p });
            for k in 0..2 {
                e.low[k] = e.low[k].min(p[k]);
                e.high[k] = e.high[k].max(p[k]);
            }
        }
        extent.unwrap_or(Extent { low: [0.0; 2], high: [0.0; 2] })
    }

    /// Of finite points without those that lie far from all the others, so that a few rows do not press the rest into a dot;
    /// and how many were left out. Far is beyond the middle 98 % by more than their own width, on an axis that would be three
    /// times as long for it.
    pub(crate) fn robust(points: &[&[f64; 2]]) -> (Self, usize) {
        /// In fewer points no one is an exception.
        const FEWEST: usize = 20;
        let mut inside = Extent::of(points.iter().copied());
        if points.len() < FEWEST {
            return (inside, 0);
        }
        for axis in 0..2 {
            let mut values: Vec<f64> = points.iter().map(|p| p[axis]).collect();
            values.sort_by(f64::total_cmp);
            let cut = points.len().div_ceil(100);
            let (low, high) = (values[cut], values[values.len() - 1 - cut]);
            let width = high - low;
            let near: Vec<f64> = values.iter().copied().filter(|v| *v >= low - width && *v <= high + width).collect();
            // Infinite widths of huge numbers, and a dot with exceptions, are left as they are.
            if let (true, Some(&first), Some(&last)) = (width > 0.0 && width.is_finite(), near.first(), near.last())
                && 2.0 * inside.half(axis) > 3.0 * (last - first)
            {
                (inside.low[axis], inside.high[axis]) = (first, last);
            }
        }
        let out = |p: &[f64; 2]| (0..2).any(|k| p[k] < inside.low[k] || p[k] > inside.high[k]);
        (inside, points.iter().filter(|p| out(p)).count())
    }

    /// Half the length of an axis: halves first, so that nothing overflows.
    fn half(&self, axis: usize) -> f64 {
        0.5 * self.high[axis] - 0.5 * self.low[axis]
    }

    /// Where a value is between low and high, 0 to 1; 0.5 where they are equal.
    pub(crate) fn share(&self, axis: usize, value: f64) -> f64 {
        let half = self.half(axis);
        if half > 0.0 { ((0.5 * value - 0.5 * self.low[axis]) / half).clamp(0.0, 1.0) } else { 0.5 }
    }

    /// The share of a box of that size that each axis fills when one unit is to be as long on both.
    pub(crate) fn equal_aspect(&self, size: [f64; 2]) -> [f64; 2] {
        let need = [self.half(0) / size[0], self.half(1) / size[1]];
        let most = need[0].max(need[1]);
        if most > 0.0 { need.map(|n| n / most) } else { [1.0, 1.0] }
    }
}

/// Round values that cover `low..=high`, about `count` of them.
pub(crate) fn ticks(low: f64, high: f64, count: usize) -> Vec<f64> {
    let span = high - low;
    if !(span > 0.0 && span.is_finite()) {
        return vec![low];
    }
    let raw = span / count.max(1) as f64;
    let magnitude = 10f64.powf(raw.log10().floor());
    let step = magnitude * [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().find(|m| m * magnitude >= raw * 0.999).unwrap_or(10.0);
    let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
    if !(step > 0.0 && last - first < 100.0) {
        return vec![low, high];
    }
    (0..=(last - first) as usize).map(|i| (first + i as f64) * step).collect()
}

/// A tick value in few characters: `0.25`, `12,000`, `1e-6`.
pub(crate) fn tick_text(value: f64) -> String {
    let size = value.abs();
    if size < 1e-12 {
        return "0".into();
    }
    if !(1e-3..1e6).contains(&size) {
        let text = format!("{value:.1e}");
        return text.replace(".0e", "e");
    }
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        assert_eq!(ticks(0.0, 1.0, 5).iter().map(|&t| tick_text(t)).collect::<Vec<_>>(), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        assert_eq!(ticks(0.0, 47.0, 5), [0.0, 10.0, 20.0, 30.0, 40.0]);
        assert_eq!(ticks(3.0, 3.0, 5), [3.0]);
        assert_eq!(tick_text(1e-6), "1e-6");
        assert_eq!(tick_text(-2500.0), "-2500");
        assert!(ticks(1e300, 1e300 * (1.0 + 1e-15), 5).len() < 100);
    }

    #[test]
    fn a_few_points_far_out_do_not_set_the_scale() {
        let mut points: Vec<[f64; 2]> = (0..100).map(|i| [i as f64, (i * i % 17) as f64]).collect();
        assert_eq!(Extent::robust(&points.iter().collect::<Vec<_>>()).1, 0);
        points.push([1e4, 3.0]);
        points.push([5.0, -9e5]);
        let (extent, out) = Extent::robust(&points.iter().collect::<Vec<_>>());
        assert_eq!((extent.low, extent.high, out), ([0.0, 0.0], [99.0, 16.0], 2));
        // Two groups are not exceptions, and neither is one point of few.
        let groups: Vec<[f64; 2]> = (0..100).map(|i| [if i < 10 { 1e6 } else { i as f64 }, 0.0]).collect();
        assert_eq!(Extent::robust(&groups.iter().collect::<Vec<_>>()), (Extent::of(groups.iter()), 0));
        assert_eq!(Extent::robust(&points[95..].iter().collect::<Vec<_>>()).1, 0);
        let dot: Vec<[f64; 2]> = (0..100).map(|i| [if i == 0 { 1.0 } else { 0.0 }, f64::MAX * (i % 3 - 1) as f64]).collect();
        assert_eq!(Extent::robust(&dot.iter().collect::<Vec<_>>()).1, 0);
    }

    #[test]
    fn extreme_and_equal_values_have_a_place() {
        let e = Extent::of([[-f64::MAX, 1.0], [f64::MAX, 1.0]].iter());
        assert_eq!((e.share(0, 0.0), e.share(0, f64::MAX), e.share(1, 1.0)), (0.5, 1.0, 0.5));
        assert_eq!(e.equal_aspect([100.0, 100.0]), [1.0, 0.0]);
        let tiny = Extent::of([[0.0, 0.0], [5e-324, 0.0]].iter());
        assert!(tiny.share(0, 5e-324).is_finite() && tiny.equal_aspect([9.0, 9.0])[0].is_finite());
        assert_eq!(Extent::of([].iter()).share(0, 3.0), 0.5);
    }
}
