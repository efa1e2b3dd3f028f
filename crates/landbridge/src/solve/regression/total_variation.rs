//! Total-variation denoising in one dimension by the taut-string algorithm: exact, direct, linear time.

/// A straight piece of a string: its steps to the right and its rise.
#[derive(Clone, Copy, Debug)]
struct Piece {
    steps: f64,
    rise: f64,
}

impl Piece {
    fn steeper_than(self, other: Piece) -> bool {
        self.rise * other.steps > other.rise * self.steps
    }
    fn slope(self) -> f64 {
        self.rise / self.steps
    }
}

/// Pieces whose slopes rise (or fall) strictly from the first to the last.
#[derive(Debug, Default)]
struct Chain {
    pieces: Vec<Piece>,
    first: usize,
}

impl Chain {
    fn clear(&mut self) {
        self.pieces.clear();
        self.first = 0;
    }
    fn first(&self) -> Option<Piece> {
        self.pieces.get(self.first).copied()
    }
    fn is_single(&self) -> bool {
        self.pieces.len() == self.first + 1
    }
    /// Appends one step; pieces that break the order of slopes are merged.
    #[inline]
    fn push(&mut self, rise: f64, convex: bool) {
        let mut last = Piece { steps: 1.0, rise };
        while self.pieces.len() > self.first {
            let before = self.pieces[self.pieces.len() - 1];
            let in_order = if convex { last.steeper_than(before) } else { before.steeper_than(last) };
            if in_order {
                break;
            }
            last = Piece { steps: last.steps + before.steps, rise: last.rise + before.rise };
            self.pieces.pop();
        }
        self.pieces.push(last);
    }
    /// Resets to this single piece.
    fn replace(&mut self, piece: Piece) {
        self.clear();
        self.pieces.push(piece);
    }
    fn drop_first(&mut self) {
        self.first += 1;
        if self.first == self.pieces.len() {
            self.clear();
        }
    }
}

/// Scratch memory for the string, reused.
#[derive(Debug, Default)]
pub(crate) struct TautString {
    /// Greatest convex curve below the upper wall, from the last knot on.
    upper: Chain,
    /// Least concave curve above the lower wall.
    lower: Chain,
}

impl TautString {
    /// `x ← argmin ½ |x − y|² + strength Σ |x_k − x_{k−1}|`, in place.
    ///
    /// The cumulative sum of the answer is the shortest string within `strength` of the cumulative sum of y, with both ends
    /// fixed (Davies and Kovac 2001). Between the last knot and the front the string may lie anywhere in a funnel; a new point
    /// that closes the funnel fixes the next knot. Only differences of heights are stored, so that long sums lose no digits.
    pub(crate) fn denoise(&mut self, values: &mut [f64], strength: f64) {
        let n = values.len();
        if n < 2 || strength <= 0.0 {
            return;
        }
        self.upper.clear();
        self.lower.clear();
        let mut done = 0;
        for i in 0..n {
            let y = values[i];
            // The string begins in the middle of the tube and ends there.
            let (begin, end) = (if i == 0 { strength } else { 0.0 }, if i + 1 == n { strength } else { 0.0 });
            self.upper.push(y + begin - end, true);
            while let (Some(up), Some(low)) = (self.upper.first(), self.lower.first()) {
                if !(self.upper.is_single() && low.steeper_than(up)) {
                    break;
                }
                emit(values, &mut done, low);
                self.lower.drop_first();
                self.upper.replace(Piece { steps: up.steps - low.steps, rise: up.rise - low.rise });
            }
            if i + 1 == n {
                break;
            }
            self.lower.push(y - begin, false);
            while let (Some(up), Some(low)) = (self.upper.first(), self.lower.first()) {
                if !(self.lower.is_single() && low.steeper_than(up)) {
                    break;
                }
                emit(values, &mut done, up);
                self.upper.drop_first();
                self.lower.replace(Piece { steps: low.steps - up.steps, rise: low.rise - up.rise });
            }
        }
        for at in self.upper.first..self.upper.pieces.len() {
            emit(values, &mut done, self.upper.pieces[at]);
        }
    }
}

#[inline]
fn emit(values: &mut [f64], done: &mut usize, piece: Piece) {
    let to = *done + piece.steps as usize;
    let slope = piece.slope();
    // Most pieces are short.
    for value in &mut values[*done..to] {
        *value = slope;
    }
    *done = to;
}

/// The signal that minimises `½ |x − y|² + strength Σ |x_k − x_{k−1}|`, in place: exact, in linear time.
pub fn total_variation(mut signal: Vec<f64>, strength: f64) -> Vec<f64> {
    TautString::default().denoise(&mut signal, strength);
    signal
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Projected gradient on the dual: slow, and close to the definition.
    fn naive(y: &[f64], strength: f64) -> Vec<f64> {
        let n = y.len();
        let mut u = vec![0.0; n - 1];
        let primal = |u: &[f64]| -> Vec<f64> {
            (0..n).map(|k| y[k] + if k + 1 < n { u[k] } else { 0.0 } - if k > 0 { u[k - 1] } else { 0.0 }).collect()
        };
        for _ in 0..200_000 {
            let x = primal(&u);
            (0..n - 1).for_each(|k| u[k] = (u[k] + 0.25 * (x[k + 1] - x[k])).clamp(-strength, strength));
        }
        primal(&u)
    }

    fn signal(n: usize, seed: u64) -> Vec<f64> {
        let mut state = seed;
        let mut level = 0.0;
        (0..n)
            .map(|k| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let noise = (state >> 33) as f64 / (1u64 << 31) as f64 - 0.5;
                if k % 7 == 0 {
                    level += noise;
                }
                level + noise
            })
            .collect()
    }

    #[test]
    fn the_string_equals_the_slow_definition() {
        for (n, seed) in [(2, 1), (3, 2), (10, 3), (40, 4), (41, 5)] {
            let y = signal(n, seed);
            for strength in [0.01, 0.1, 0.5, 2.0, 50.0] {
                let (fast, slow) = (total_variation(y.clone(), strength), naive(&y, strength));
                for (a, b) in fast.iter().zip(&slow) {
                    assert!((a - b).abs() < 1e-9, "{n} {strength}: {a} {b}");
                }
            }
        }
    }

    #[test]
    fn no_strength_changes_nothing_and_much_strength_leaves_the_mean() {
        let y = signal(1000, 9);
        assert_eq!(total_variation(y.clone(), 0.0), y);
        let mean = y.iter().sum::<f64>() / 1000.0;
        assert!(total_variation(y.clone(), 1e9).iter().all(|v| (v - mean).abs() < 1e-9));
        assert_eq!(total_variation(vec![], 1.0), Vec::<f64>::new());
        assert_eq!(total_variation(vec![3.0], 1.0), [3.0]);
        assert_eq!(total_variation(vec![5.0; 9], 1.0), [5.0; 9]);
    }

    #[test]
    fn the_optimality_conditions_hold_on_a_long_signal() {
        // u_k = Σ_{j ≤ k} (y_j − x_j) stays within the strength, and is at the wall wherever x jumps.
        let (y, strength) = (signal(100_000, 17), 0.7);
        let x = total_variation(y.clone(), strength);
        let mut u = 0.0;
        for k in 0..y.len() - 1 {
            u += y[k] - x[k];
            assert!(u.abs() <= strength + 1e-9);
            let jump = x[k + 1] - x[k];
            if jump.abs() > 1e-9 {
                assert!((u + strength * jump.signum()).abs() < 1e-8, "{k}: {u} {jump}");
            }
        }
        assert!((u + y[y.len() - 1] - x[y.len() - 1]).abs() < 1e-8);
    }
}
