//! The chance of every match, and the right to say "no partner".

mod correction;
mod decoys;
mod leads;

use crate::apply::own_coordinates::own_coordinates;
use crate::error::{Error, Result};
use crate::geometry::csls::{Compared, Leaders, Match, NEAREST};
use crate::geometry::signatures::leading_unit;
use crate::model::{Alignment, DatasetRef};
use crate::outcome::Judgement;
use crate::progress::{Progress, with_threads};
use correction::{corrected, missed};
pub(in crate::correspondence) use decoys::Curve;
use decoys::{Chances, chances};
use leads::{Candidates, NONE, Reading, RowLeads, Sides, confirmed, read_leads};
use serde::Serialize;
use std::collections::BTreeSet;

/// Passes over the matches; the second weighs them by the chances of the first.
const PASSES: u64 = 2;
/// Mean chance of the matches from which another pass would change nothing.
const SURE: f64 = 0.9;
/// Fewest known pairs that correct the chances, and fewest likely matches for another pass.
const ENOUGH: usize = 50;
/// Share of held-out pairs that must find each other where nothing else speaks for a fit.
const CONFIRMED: f64 = 0.1;
/// Known pairs per feature from which a map cannot have fitted itself to them.
const PER_FEATURE: usize = 10;
/// 95 % of a normal distribution.
const WIDTH: f64 = 1.96;

/// What the chances rest on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Basis {
    /// Decoys alone.
    Decoys,
    /// Decoys, corrected by known pairs that were held out.
    KnownPairs,
    /// Nothing: the fit is not to be trusted, for this reason. All chances are 0.
    Refused(String),
}

/// The chance of each match of one dataset with another.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct MatchConfidence {
    /// The match of each source row; −1 without one.
    pub targets: Vec<i64>,
    /// The chance that it is right; 1 for pairs that were given, 0 without a match.
    pub confidence: Vec<f64>,
    /// Expected number of right matches: the sum of the chances.
    pub expected_right: f64,
    /// Share of the source rows whose partner was found, with a 95 % interval. Where the maps are good it is the share of rows
    /// that have a partner; where they are not it is less.
    pub shared: (f64, f64, f64),
    /// What the chances rest on.
    pub basis: Basis,
}

impl MatchConfidence {
    fn refused(targets: Vec<i64>, why: String) -> Self {
        let confidence = vec![0.0; targets.len()];
        Self { targets, confidence, expected_right: 0.0, shared: (0.0, 0.0, 1.0), basis: Basis::Refused(why) }
    }
    /// Number of rows whose match has at least this chance.
    pub fn count(&self, min_confidence: f64) -> usize {
        self.targets.iter().zip(&self.confidence).filter(|(j, p)| **j >= 0 && **p >= min_confidence).count()
    }
    /// What the chances say, in words; each part names what it counts.
    pub fn summary(&self, min_confidence: f64) -> String {
        if let Basis::Refused(why) = &self.basis {
            return format!("no match is confident: {why}");
        }
        let (share, low, high) = self.shared;
        format!(
            "{} of {} rows have a partner with chance >= {min_confidence}; expected right {:.0}; share with a partner {share:.2} ({low:.2} to {high:.2})",
            self.count(min_confidence),
            self.targets.len(),
            self.expected_right,
        )
    }
}

impl Alignment {
    /// The chance that each match of `source` in `target` is right.
    ///
    /// 1. Each row's match is its best by CSLS.
    /// 2. The maps are fitted again on parts of the mutual matches. Each row is read only by refits that did not see it: how
    ///    far does its match lead over the second best, in the row and in the column?
    /// 3. *Decoys* show how far wrong matches lead: what a row would match if its match were taken away. Where matches lead as
    ///    decoys do, they are wrong as often (local false-discovery rate, by isotonic regression).
    /// 4. With 50 known pairs or more, those that were held out correct the chances.
    ///
    /// Decoys do not notice an alignment that is wrong as a whole, so the verdict of the fit decides first: matches of a fit
    /// that is not trusted have the chance 0. A fit without a verdict is refused, unless 50 known pairs can give one.
    pub fn match_confidence<'a, 'b>(
        &self,
        source: impl Into<DatasetRef<'a>>,
        target: impl Into<DatasetRef<'b>>,
    ) -> Result<MatchConfidence> {
        self.match_confidence_with(None, source, target, &Progress::silent())
    }

    /// As [`Alignment::match_confidence`], of these matches: a target row for each fitted row of `source`, −1 for none.
    pub fn match_confidence_with<'a, 'b>(
        &self,
        matches: Option<&[i64]>,
        source: impl Into<DatasetRef<'a>>,
        target: impl Into<DatasetRef<'b>>,
        progress: &Progress,
    ) -> Result<MatchConfidence> {
        const WHAT: &str = "confidence of matches";
        self.check_fitted_rows(WHAT)?;
        let (s, t) = (self.position(source)?, self.position(target)?);
        if s == t {
            let why = format!("source and target are both \"{}\"", self.fitted[s].name());
            return Err(Error::Undefined { what: WHAT.into(), why });
        }
        for side in [s, t] {
            let (rows, needed) = (self.fitted[side].nrows(), NEAREST + 2);
            if rows < needed {
                return Err(Error::TooFewRows { dataset: self.fitted[side].name().into(), rows, needed });
            }
        }
        if let Some(given) = matches {
            let (n, m) = (self.fitted[s].nrows(), self.fitted[t].nrows());
            if given.len() != n {
                let expected = format!("{n}, the fitted rows of \"{}\"", self.fitted[s].name());
                return Err(Error::Shape { what: "matches".into(), expected, got: given.len().to_string() });
            }
            if let Some(bad) = given.iter().find(|&&j| j < -1 || j >= m as i64) {
                let expected = format!("-1 or a row of \"{}\", below {m}", self.fitted[t].name());
                return Err(Error::parameter("matches", bad, &expected));
            }
        }
        with_threads(0, || self.judged_matches(matches, s, t, progress))
    }

    fn judged_matches(&self, matches: Option<&[i64]>, s: usize, t: usize, progress: &Progress) -> Result<MatchConfidence> {
        let known = self.known_between(s, t);
        let own = |side| own_coordinates(self, side);
        let (x, y) = (own(s)?, own(t)?);
        let gate = self.gate(s, t, known.len())?;
        let (n, m) = (x.nrows(), y.nrows());
        let unit = |side: usize| leading_unit(self.embedding(side), self.n_components()).to_f32();
        let compared = Compared::new((unit(s), unit(t)));
        let leaders = compared.leaders();
        let owners: Vec<u32> = (0..m).map(|j| leaders.of_column(j, &[]).map_or(NONE, |o| o.0)).collect();
        let mut candidates = first_candidates(&leaders, n, &owners, matches);
        let paired: BTreeSet<Match> = known.iter().copied().collect();
        let mut partner = vec![NONE; n];
        known.iter().rev().for_each(|(i, j)| partner[*i as usize] = *j);
        if matches.is_none() {
            let wrong = |i: usize| partner[i] != NONE && !paired.contains(&(i as u32, candidates.of[i]));
            (0..n).filter(|&i| wrong(i)).collect::<Vec<_>>().into_iter().for_each(|i| candidates.of[i] = partner[i]);
        }
        let of_all = || candidates.of.iter().map(|&j| if j == NONE { -1 } else { i64::from(j) }).collect();
        let targets: Vec<i64> = matches.map_or_else(of_all, <[i64]>::to_vec);
        if let Gate::Closed(why) = gate {
            return Ok(MatchConfidence::refused(targets, why));
        }
        let hold_out = known.len() >= ENOUGH;
        let sides = Sides { x: &x, y: &y, whole: &leaders, known: &known, hold_out };
        // Some matches come back and others do not, or none is certain: rows lack a partner.
        let lacking = self.outcome.trust.as_ref().is_some_and(|trust| trust.soft || trust.steadiness.is_some());
        let mutual = mutual_matches(&leaders, n, &owners, &known, m);
        if let Gate::ByPairs(why) = &gate {
            let right = confirmed(&sides, progress)?;
            if known.len() < ENOUGH || (right as f64) < CONFIRMED * known.len() as f64 {
                let why = format!(
                    "{why}; of {} known pairs, {right} found each other when they were held out of fits to the others",
                    known.len()
                );
                return Ok(MatchConfidence::refused(targets, why));
            }
        }
        let (found, leads) = passes(&sides, &mutual, &mut candidates, &owners, lacking, progress)?;
        let judged: Vec<(usize, bool)> = match hold_out {
            true => (0..n).filter(|&i| partner[i] != NONE && leads[i].refits > 0).collect::<Vec<_>>(),
            false => vec![],
        }
        .into_iter()
        .map(|i| (i, paired.contains(&(i as u32, candidates.of[i]))))
        .collect();
        let by_pairs = judged.len() >= ENOUGH;
        if let (Gate::ByPairs(why), false) = (gate, by_pairs) {
            let why = format!("{why}; only {} known pairs could be held out", judged.len());
            return Ok(MatchConfidence::refused(targets, why));
        }
        let mut confidence = match by_pairs {
            true => {
                let others: Vec<f64> = (0..n).filter(|&i| partner[i] == NONE).map(|i| found.of[i]).collect();
                let missed = missed(others.iter().sum::<f64>() / others.len().max(1) as f64, &judged);
                corrected(&found.of, &leads.iter().map(|l| l.matched).collect::<Vec<_>>(), &judged, missed)?
            }
            false => found.of.clone(),
        };
        for i in 0..n {
            match partner[i] {
                NONE if leads[i].refits == 0 || targets[i] < 0 => confidence[i] = 0.0,
                NONE => {}
                _ => confidence[i] = f64::from(paired.contains(&(i as u32, targets[i] as u32))),
            }
        }
        let expected_right = confidence.iter().sum::<f64>();
        let shared = share(expected_right / n as f64, &found, by_pairs, known.len() as f64 / n as f64);
        let basis = if by_pairs { Basis::KnownPairs } else { Basis::Decoys };
        Ok(MatchConfidence { targets, confidence, expected_right, shared, basis })
    }

    /// Given pairs between two datasets, unless the fit found that they contradict the data.
    fn known_between(&self, s: usize, t: usize) -> Vec<Match> {
        // Pairs that the fit inferred are not known: they would confirm themselves.
        if self.outcome.inferred() || self.outcome.trust.as_ref().is_some_and(|trust| trust.pairs_wrong) {
            return vec![];
        }
        let oriented = self.pairs.iter().filter_map(|l| match (l.a, l.b) {
            (a, b) if (a, b) == (s, t) => Some((l.i as u32, l.j as u32)),
            (a, b) if (a, b) == (t, s) => Some((l.j as u32, l.i as u32)),
            _ => None,
        });
        oriented.collect::<BTreeSet<Match>>().into_iter().collect()
    }

    /// Whether the matches of this fit may be believed at all. An error where nothing can tell.
    fn gate(&self, s: usize, t: usize, known: usize) -> Result<Gate> {
        if let Some(trust) = &self.outcome.trust {
            return Ok(match (trust.trusted, known >= ENOUGH) {
                (true, _) => Gate::Open,
                (false, true) => Gate::ByPairs(trust.verdict()),
                (false, false) => Gate::Closed(trust.verdict()),
            });
        }
        if let Some(held_out) = &self.outcome.held_out {
            let trusted = held_out.judgement == Judgement::Trusted;
            return Ok(if trusted { Gate::Open } else { Gate::Closed(held_out.verdict()) });
        }
        if let Some(said) = self.outcome.transported() {
            return Ok(Gate::Closed(said));
        }
        // Held-out pairs judge only maps that had no room to fit themselves to them.
        let features = [s, t].map(|side| self.fitted[side].n_features());
        let all_directions = self.n_components() >= features[0].min(features[1]);
        if known >= ENOUGH && (all_directions || known >= PER_FEATURE * features[0].max(features[1])) {
            return Ok(Gate::ByPairs("the fit has no verdict".into()));
        }
        Err(Error::Undefined {
            what: "confidence of matches".into(),
            why: "the fit has no verdict on whether it is right as a whole, and the given pairs cannot give one; use self-training, `align`, or `landbridge fit --trust`"
                .into(),
        })
    }
}

/// Decoys do not notice an alignment that is wrong as a whole; something else has to.
enum Gate {
    /// The verdict is good.
    Open,
    /// The verdict is bad or absent, for this reason; known pairs that were held out may do better.
    ByPairs(String),
    /// The verdict is bad, for this reason.
    Closed(String),
}

/// The match of each row (its best by CSLS, unless others are given), its decoy, and the row to which the decoy belongs. A row without a given
/// match takes part with its best: the others would be a choice, of which more wrong ones lead.
fn first_candidates(leaders: &Leaders<'_>, n: usize, owners: &[u32], given: Option<&[i64]>) -> Candidates {
    let best = |i: usize| match given {
        Some(matches) if matches[i] >= 0 => matches[i] as u32,
        _ => leaders.of_row(i, &[]).map_or(NONE, |b| b.0),
    };
    let of: Vec<u32> = (0..n).map(best).collect();
    let without = |i: usize| match of[i] {
        NONE => None,
        own => leaders.of_row_without(i, own, own),
    };
    let decoy: Vec<u32> = (0..n).map(|i| without(i).map_or(NONE, |d| d.0)).collect();
    let owner = decoy.iter().map(|&j| if j == NONE { NONE } else { owners[j as usize] }).collect();
    Candidates { of, decoy, owner }
}

/// Mutual best matches of rows that are in no known pair.
fn mutual_matches(leaders: &Leaders<'_>, n: usize, owners: &[u32], known: &[Match], m: usize) -> Vec<Match> {
    let (mut taken_x, mut taken_y) = (vec![false; n], vec![false; m]);
    known.iter().for_each(|(i, j)| (taken_x[*i as usize], taken_y[*j as usize]) = (true, true));
    let best = (0..n as u32).filter_map(|i| leaders.of_row(i as usize, &[]).map(|(j, _)| (i, j)));
    best.filter(|(i, j)| owners[*j as usize] == *i && !taken_x[*i as usize] && !taken_y[*j as usize]).collect()
}

/// Leads and chances, first with all matches alike, then weighed by the chances.
fn passes(
    sides: &Sides<'_>,
    mutual: &[Match],
    candidates: &mut Candidates,
    owners: &[u32],
    lacking: bool,
    progress: &Progress,
) -> Result<(Chances, Vec<RowLeads>)> {
    let n = sides.x.nrows();
    let mut start = vec![0.0; n];
    mutual.iter().chain(sides.known).for_each(|(i, _)| start[*i as usize] = 1.0);
    let mut weights = vec![1.0; mutual.len()];
    let mut found = None;
    for pass in 0..PASSES {
        let Reading { leads, next_decoys } = read_leads(sides, mutual, &weights, candidates, owners, pass, progress)?;
        let these = chances(&leads, candidates, &start, lacking, sides.y.nrows());
        // Of a mutual match that is not the one in question nothing is known.
        let weight = |m: &Match| if candidates.of[m.0 as usize] == m.1 { these.of[m.0 as usize] } else { 0.5 };
        weights = mutual.iter().map(weight).collect();
        let sum = weights.iter().sum::<f64>();
        found = Some((these, leads));
        // The fit was drawn to the match of a row, so what is second there may not be what the row would match without it. A refit
        // that did not see the row tells, and the next refits read it.
        (0..n).filter(|&i| next_decoys[i] != NONE).for_each(|i| candidates.set_decoy(i, next_decoys[i], owners));
        if sum >= SURE * mutual.len() as f64 || sum + (sides.known.len() as f64) < ENOUGH as f64 {
            break;
        }
    }
    found.ok_or_else(|| Error::Numerical { what: "confidence of matches".into(), problem: "no pass was made".into() })
}

/// The share of rows whose partner was found, with its interval: between the mean chance and the share that decoys leave over,
/// wider by the error of the latter.
fn share(mean: f64, found: &Chances, by_pairs: bool, known: f64) -> (f64, f64, f64) {
    // Known rows count as found; corrected chances are better than the count of decoys.
    let other = if by_pairs { mean } else { (known + (1.0 - known) * (1.0 - found.wrong)).min(1.0) };
    let half = WIDTH * found.error * (1.0 - known);
    (mean, (mean.min(other) - half).max(0.0), (mean.max(other) + half).min(1.0))
}

#[cfg(test)]
mod tests;
