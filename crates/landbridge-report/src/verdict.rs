//! The verdict: one sentence on how far to trust the alignment, and the reasons.

use crate::picture::counted;
use landbridge::model::Alignment;
use landbridge::outcome::Judgement;
use serde_json::Value;

/// What the page says first.
pub(crate) struct Verdict {
    /// "good", "unsure", "bad", or "unknown".
    pub(crate) level: &'static str,
    pub(crate) sentence: String,
    pub(crate) why: Vec<String>,
}

/// True pairs that were not given decide; then pairs held out in the fit, then the fit's own trust, then fitted pairs. Transported pairs confirm nothing.
pub(crate) fn verdict(alignment: &Alignment, diagnosis: &Value) -> Verdict {
    let outcome = alignment.outcome();
    let mut why = vec![];
    let mut level = "unknown";
    let mut sentence = String::new();
    let mut say = |found: &'static str, text: String, why: &mut Vec<String>| {
        if sentence.is_empty() {
            (level, sentence) = (found, text);
        } else {
            why.push(text);
        }
    };
    let curves: Vec<Recall> = diagnosis["recall"].as_array().into_iter().flatten().filter_map(Recall::read).collect();
    let held_out = || curves.iter().filter(|c| c.held_out);
    if held_out().next().is_some() {
        let n = held_out().count() as f64;
        let (recall, chance) = (held_out().map(|c| c.first).sum::<f64>() / n, held_out().map(|c| c.chance).sum::<f64>() / n);
        let low = held_out().map(|c| c.low).fold(1.0, f64::min);
        let pairs = held_out().map(|c| c.pairs).max().unwrap_or(0);
        let found = match () {
            () if low >= 0.5 => "good",
            () if low > 3.0 * chance => "unsure",
            () => "bad",
        };
        let words = match found {
            "good" => "Most rows find their true partner",
            "unsure" => "Rows find the neighbourhood of their partner more often than by chance, the partner itself seldom",
            _ => "Rows find their true partner hardly more often than by chance",
        };
        let text = format!(
            "{words}: the nearest row is the right one for {} of {} that the fit did not see (chance {}).",
            percent(recall),
            counted(pairs, "pair"),
            percent(chance)
        );
        say(found, text, &mut why);
    }
    if let Some(selection) = &outcome.selection {
        let found = match selection["trusted"].as_bool() {
            Some(true) => "good",
            Some(false) => "bad",
            None => "unsure",
        };
        if let Some(text) = selection["verdict"].as_str() {
            say(found, sentence_of(text), &mut why);
        }
    }
    if let Some(held_out) = &outcome.held_out {
        let found = match (held_out.judgement, held_out.matches()) {
            (Judgement::Trusted, Judgement::Trusted) => "good",
            (Judgement::NotTrusted, _) => "bad",
            _ => "unsure",
        };
        say(found, sentence_of(&held_out.verdict()), &mut why);
    }
    if let Some(trust) = &outcome.trust {
        say(if trust.trusted { "good" } else { "bad" }, sentence_of(&trust.verdict()), &mut why);
    }
    if let Some(text) = outcome.transported().filter(|_| outcome.selection.is_none()) {
        say("bad", sentence_of(&text), &mut why);
    }
    if let Some(first) = curves.iter().find(|c| !c.held_out) {
        let text = format!(
            "{} of the {} used in the fit are each other's nearest rows; only pairs that the fit did not see would tell how far to trust it.",
            percent(first.first),
            counted(first.pairs, "pair")
        );
        say("unknown", text, &mut why);
    }
    if !alignment.has_rows() {
        say("unknown", "The model has no fitted rows, so nothing can be judged here.".into(), &mut why);
    }
    say(
        "unknown",
        "Nothing was held out, and no true pairs were given: this page cannot tell how far to trust it.".into(),
        &mut why,
    );
    // The last resort is a reason only where nothing else was said.
    if why.last().is_some_and(|w| w.starts_with("Nothing was held out")) {
        why.pop();
    }
    Verdict { level, sentence, why }
}

/// One curve, as far as the verdict needs it.
struct Recall {
    held_out: bool,
    pairs: usize,
    first: f64,
    low: f64,
    chance: f64,
}

impl Recall {
    fn read(curve: &Value) -> Option<Self> {
        let at = |name: &str| curve[name][0].as_f64();
        Some(Self {
            held_out: curve["held_out"].as_bool()?,
            pairs: curve["pairs"].as_u64()? as usize,
            first: at("share")?,
            low: at("low")?,
            chance: at("chance")?,
        })
    }
}

fn percent(share: f64) -> String {
    match 100.0 * share {
        p if p > 0.0 && p < 0.095 => format!("{p:.2} %"),
        p if p < 9.95 || p > 99.0 && p < 100.0 => format!("{p:.1} %"),
        p => format!("{p:.0} %"),
    }
}

/// With a capital letter and a full stop.
fn sentence_of(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    let end = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{end}", letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_read_as_percentages() {
        for (share, text) in
            [(0.0, "0.0 %"), (0.0004, "0.04 %"), (0.031, "3.1 %"), (0.5, "50 %"), (0.995, "99.5 %"), (1.0, "100 %")]
        {
            assert_eq!(percent(share), text);
        }
        assert_eq!(sentence_of("trusted (0.98)"), "Trusted (0.98).");
    }
}
