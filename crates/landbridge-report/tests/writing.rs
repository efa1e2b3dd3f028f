//! The page of awkward alignments: its parts unpack, nothing from a file becomes markup, and what is missing is said.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::ZlibDecoder;
use landbridge::correspondence::CheckPairs;
use landbridge::data::{Dataset, Pairs};
use landbridge::embed::Unchanged;
use landbridge::linalg::{Csr, Matrix};
use landbridge::method::{Cca, InstanceAlignment, LinearAlignment, ProcrustesAlignment};
use landbridge::model::Alignment;
use landbridge_report::{Page, Report, Values, summary};
use serde_json::Value;
use std::io::Read as _;

/// Numbers between −½ and ½.
fn cloud(n: usize, p: usize, seed: u64) -> Matrix<f64> {
    let mut state = seed;
    Matrix::from_fn(n, p, |_, _| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as f64 / (1u64 << 31) as f64 - 0.5
    })
}

fn first_rows(count: usize) -> Pairs {
    Pairs::from_table(&(0..count as i64).map(|i| [i; 2]).collect::<Vec<_>>()).unwrap()
}

/// Two copies of one cloud, aligned by rotation. `dress` gives them ids and labels.
fn copies(n: usize, dress: impl Fn(Dataset) -> Dataset) -> (Alignment, [Dataset; 2]) {
    let x = cloud(n, 4, 3);
    let datasets = ["one", "two"].map(|name| dress(Dataset::new(name, x.clone()).unwrap()));
    let pairs = first_rows(n.min(20));
    (ProcrustesAlignment::new(Unchanged::new()).fit(&datasets, &pairs).unwrap(), datasets)
}

fn part(page: &Page, name: &str) -> Option<Vec<u8>> {
    let start = page.html.find(&format!("id=\"part-{name}\">"))?;
    let text = page.html[start..].split_once('>')?.1.split_once('<')?.0;
    let mut bytes = vec![];
    ZlibDecoder::new(&STANDARD.decode(text).unwrap()[..]).read_to_end(&mut bytes).unwrap();
    Some(bytes)
}

fn manifest(page: &Page) -> Value {
    serde_json::from_slice(&part(page, "manifest").unwrap()).unwrap()
}

/// The page without its own script, style and packed parts: all that names could reach.
fn markup(page: &Page) -> String {
    let own = page.html.rfind("<script>").unwrap();
    let (start, end) = (page.html.find("<style>").unwrap(), page.html.find("</style>").unwrap());
    let mut text = format!("{}{}", &page.html[..start], &page.html[end..own]);
    while let Some(at) = text.find("<script type=\"application/octet-stream\"") {
        let end = at + text[at..].find("</script>").unwrap() + 9;
        text.replace_range(at..end, "");
    }
    text
}

#[test]
fn the_coordinates_in_the_page_are_those_of_the_model() {
    let (alignment, datasets) = copies(60, |d| d);
    let page = Report::new(&alignment).datasets(&datasets).render().unwrap();
    let about = manifest(&page);
    assert_eq!(about["views"][0]["axes"].as_array().unwrap().len(), 4);
    for c in 0..4 {
        let axis = &about["views"][0]["axes"][c];
        let (low, high) = (axis["low"].as_f64().unwrap(), axis["high"].as_f64().unwrap());
        let bytes = part(&page, axis["part"].as_str().unwrap()).unwrap();
        let n = bytes.len() / 2;
        assert_eq!(n, 120);
        for p in 0..n {
            let code = f64::from(u16::from_be_bytes([bytes[p], bytes[n + p]]));
            let expected = alignment.embedding(p / 60)[(p % 60, c)];
            assert!((low + code * (high - low) / 65534.0 - expected).abs() <= 0.51 * (high - low) / 65534.0);
        }
    }
    // Each row's nearest row is its copy.
    let bytes = part(&page, "partners-0-1").unwrap();
    let n = bytes.len() / 4;
    let k = about["partners"][0]["k"].as_u64().unwrap() as usize;
    for i in 0..60 {
        let at = i * k;
        assert_eq!(u32::from_be_bytes([bytes[at], bytes[n + at], bytes[2 * n + at], bytes[3 * n + at]]), i as u32);
    }
    assert_eq!(page, Report::new(&alignment).datasets(&datasets).n_jobs(1).render().unwrap());
}

#[test]
fn names_never_become_markup() {
    let payloads = [
        "</script><script>alert(1)</script>",
        "<!-- <img src=x onerror=alert(1)>",
        "\"onload=\"alert(1)",
        "a\u{2028}b\u{202E}c\u{0}",
    ];
    for payload in payloads {
        let x = cloud(30, 3, 5);
        let words = |n: usize| (0..n).map(|i| format!("{payload}{i}")).collect::<Vec<_>>();
        let dataset = |name: &str| {
            let columns = words(3);
            let plain = Dataset::new(format!("{payload}{name}"), x.clone()).unwrap();
            plain.with_row_ids(words(30)).unwrap().with_labels(words(30)).unwrap().with_columns(columns).unwrap()
        };
        let datasets = [dataset("a"), dataset("b")];
        let alignment = ProcrustesAlignment::new(Unchanged::new()).fit(&datasets, &first_rows(10)).unwrap();
        let page = Report::new(&alignment).datasets(&datasets).title(payload).command(payload).render().unwrap();
        let summary = summary(&alignment).unwrap();
        for text in [markup(&page), summary] {
            for bad in ["<script>alert", "<img", "\"onload", "<!-- <", "\u{202E}", "\u{0}"] {
                assert!(!text.contains(bad), "{bad} of {payload:?}");
            }
        }
        // What is packed is what was given.
        assert_eq!(manifest(&page)["datasets"][0]["name"].as_str().unwrap(), format!("{payload}a"));
    }
}

#[test]
fn the_policy_names_the_script_of_the_page_and_allows_nothing_else() {
    let (alignment, _) = copies(20, |d| d);
    let page = Report::new(&alignment).render().unwrap().html;
    let policy = page.split("content=\"default-src").nth(1).unwrap().split('"').next().unwrap();
    assert!(!policy.contains("unsafe") && !policy.contains("http") && policy.starts_with(" 'none';"));
    let script = &page[page.rfind("<script>").unwrap() + 8..page.rfind("</script>").unwrap()];
    let digest = <sha2::Sha256 as sha2::Digest>::digest(script.as_bytes());
    assert!(policy.contains(&format!("script-src 'sha256-{}'", STANDARD.encode(digest))));
    assert_eq!(page.matches("<script>").count(), 1);
}

#[test]
fn few_rows_many_labels_missing_labels_and_long_ids() {
    // Three rows.
    let (alignment, datasets) = copies(3, |d| d);
    let page = Report::new(&alignment).datasets(&datasets).render().unwrap();
    assert_eq!(manifest(&page)["datasets"][0]["shown"], 3);
    // 300 labels, of which the first is the most frequent; some are missing.
    let labels = |n: usize| (0..n).map(|i| if i % 10 == 0 { "NaN".into() } else { format!("label {}", i * 7 % 300) }).collect();
    let (alignment, _) = copies(900, |d| d.with_labels(labels(900)).unwrap());
    let page = Report::new(&alignment).render().unwrap();
    let about = manifest(&page);
    let names: Vec<String> = serde_json::from_slice(&part(&page, "word-names-0").unwrap()).unwrap();
    assert!(names.len() == 270 && !names.iter().any(|n| n == "NaN"), "{}", names.len());
    assert_eq!(about["words"][0]["count"], names.len());
    // Ids of 10 kB: cut, and the page stays small.
    let ids = (0..400).map(|i| format!("{i} {}", "long ".repeat(2000))).collect::<Vec<_>>();
    let (alignment, _) = copies(400, |d| d.with_row_ids(ids.clone()).unwrap());
    let page = Report::new(&alignment).render().unwrap();
    let listed: Vec<String> = serde_json::from_slice(&part(&page, "ids-0").unwrap()).unwrap();
    assert!(listed.iter().all(|id| id.chars().count() == 121 && id.ends_with('…')));
    assert!(page.html.len() < 1_300_000, "{}", page.html.len());
}

#[test]
fn a_model_without_rows_says_so() {
    let x = cloud(80, 6, 1);
    let datasets = ["a", "b"].map(|name| Dataset::new(name, x.clone()).unwrap());
    let alignment = LinearAlignment::new(3).fit(&datasets, &first_rows(40)).unwrap();
    let page = Report::new(&alignment.without_rows().unwrap()).render().unwrap();
    assert!(page.notes[0].contains("without its fitted rows"), "{:?}", page.notes);
    let about = manifest(&page);
    assert_eq!(about["views"].as_array().unwrap().len(), 0);
    assert_eq!(about["verdict"]["level"], "unknown");
    assert!(!about["diagnosis"]["features"].as_array().unwrap().is_empty());
    assert!(summary(&alignment.without_rows().unwrap()).unwrap().contains("no fitted rows"));
    // With rows, but without the data before: that is said, and the rest is there.
    let page = Report::new(&alignment).render().unwrap();
    assert!(page.notes.iter().any(|n| n.contains("does not keep its rows")), "{:?}", page.notes);
    assert!(Report::new(&alignment).datasets(&datasets).render().unwrap().notes.is_empty());
}

#[test]
fn the_verdict_rests_on_pairs_that_the_fit_did_not_see() {
    let (alignment, datasets) = copies(100, |d| d);
    let fitted = manifest(&Report::new(&alignment).render().unwrap());
    assert_eq!(fitted["verdict"]["level"], "unknown");
    assert_eq!(fitted["diagnosis"]["recall"][0]["held_out"], false);
    let truth = first_rows(100);
    let judged = manifest(&Report::new(&alignment).datasets(&datasets).truth(truth.links()).render().unwrap());
    assert_eq!(judged["verdict"]["level"], "good");
    assert_eq!(judged["diagnosis"]["recall"][0]["pairs"], 80);
    assert_eq!(judged["diagnosis"]["recall"][0]["share"][0], 1.0);
    // Wrong truth: no better than chance.
    let wrong = Pairs::from_table(&(0..100i64).map(|i| [i, (i * 37 + 11) % 100]).collect::<Vec<_>>()).unwrap();
    let judged = manifest(&Report::new(&alignment).truth(wrong.links()).render().unwrap());
    assert_eq!(judged["verdict"]["level"], "bad", "{}", judged["verdict"]);
}

#[test]
fn wrong_pairs_rows_without_a_partner_and_hubs_are_found() {
    let x = cloud(120, 4, 9);
    // The last row of the first dataset is far from everything.
    let far = Matrix::from_fn(120, 4, |i, j| if i == 119 { 40.0 } else { x[(i, j)] });
    let datasets = [Dataset::new("a", far).unwrap(), Dataset::new("b", x.row_range(0, 119)).unwrap()];
    let mut table: Vec<[i64; 2]> = (0..60).map(|i| [i; 2]).collect();
    table[7] = [7, 90];
    let pairs = Pairs::from_table(&table).unwrap();
    let alignment = ProcrustesAlignment::new(Unchanged::new()).fit(&datasets, &pairs).unwrap();
    let check = CheckPairs::new().check(&datasets, &pairs).unwrap();
    let about = manifest(&Report::new(&alignment).datasets(&datasets).check(&check).render().unwrap());
    let found = &about["diagnosis"];
    assert_eq!((&found["suspects"]["pairs"][0]["i"], &found["suspects"]["pairs"][0]["j"]), (&7.into(), &90.into()));
    assert_eq!((&found["far_pairs"]["pairs"][0]["i"], &found["far_pairs"]["pairs"][0]["j"]), (&7.into(), &90.into()));
    assert_eq!(found["alone"][0]["rows"][0][0], 119);
    assert_eq!(found["suspects"]["pairs"][0]["confidence"], check.confidence[7]);
    assert!(check.confidence[7] < 0.5, "{}", check.confidence[7]);
    assert!(found["hubs"][0]["top"].as_array().unwrap().len() <= 20);
}

#[test]
fn rows_are_coloured_by_the_chance_of_their_match_where_there_is_one() {
    let x = cloud(200, 6, 3);
    let turned = Matrix::from_fn(200, 6, |i, j| x[(i, (j + 1) % 6)] - 0.5 * x[(i, j)]);
    let datasets = [Dataset::new("a", x).unwrap(), Dataset::new("b", turned).unwrap()];
    let names = |pairs: usize| {
        let alignment = Cca::new(6).fit(&datasets, &first_rows(pairs)).unwrap();
        let about = manifest(&Report::new(&alignment).render().unwrap());
        let names: Vec<String> = about["numbers"].as_array().unwrap().iter().map(|n| n["name"].to_string()).collect();
        names.iter().any(|n| n.contains("chance that the match is right"))
    };
    assert!(names(80));
    // Too few pairs to judge a fit that has no verdict.
    assert!(!names(20));
}

#[test]
fn of_many_rows_a_sample_is_shown_that_keeps_rare_labels() {
    let labels = |n: usize| (0..n).map(|i| if i == 1234 { "rare".into() } else { format!("{}", i % 3) }).collect();
    let (alignment, datasets) = copies(3000, |d| d.with_labels(labels(3000)).unwrap());
    let page = Report::new(&alignment).datasets(&datasets).max_points(600).render().unwrap();
    let about = manifest(&page);
    assert!(page.notes[0].contains("6,000 rows"), "{:?}", page.notes);
    let shown = about["datasets"][0]["shown"].as_u64().unwrap() as usize;
    assert!((250..=300).contains(&shown), "{shown}");
    let bytes = part(&page, "rows").unwrap();
    let n = bytes.len() / 4;
    let rows: Vec<u32> = (0..n).map(|p| u32::from_be_bytes([0, 1, 2, 3].map(|plane| bytes[plane * n + p]))).collect();
    assert!(rows[..shown].contains(&1234) && rows[shown..].contains(&1234));
    assert_eq!(part(&page, "density").unwrap().len(), 2 * 192 * 192);
    assert_eq!(about["views"][0]["density"]["side"], 192);
}

#[test]
fn a_page_keeps_to_its_size_and_says_what_it_left_out() {
    let (alignment, datasets) = copies(4000, |d| d);
    let page = Report::new(&alignment).datasets(&datasets).max_bytes(1_150_000).render().unwrap();
    assert!(page.html.len() < 1_250_000, "{}", page.html.len());
    assert!(page.notes.iter().any(|n| n.starts_with("left out to keep the page below")), "{:?}", page.notes);
    assert!(part(&page, "component-0").is_some());
}

#[test]
fn values_texts_and_features_are_checked_and_packed() {
    let (alignment, datasets) = copies(30, |d| d);
    let numbers = Values::Numbers((0..30).map(f64::from).collect());
    let words = Values::Words((0..30).map(|i| format!("w{}", i % 4)).collect());
    let texts: Vec<String> = (0..30).map(|i| format!("text {i}")).collect();
    let report = Report::new(&alignment).datasets(&datasets);
    let page = report.clone().values("age", 0, numbers.clone()).values("kind", 1, words).texts(1, texts).render().unwrap();
    let about = manifest(&page);
    let names: Vec<&str> = about["numbers"].as_array().unwrap().iter().filter_map(|n| n["name"].as_str()).collect();
    assert!(
        names.contains(&"age") && names.contains(&"one: feature 3") && names.contains(&"distance to the partner"),
        "{names:?}"
    );
    assert_eq!(about["words"][0]["name"], "kind");
    let listed: Vec<String> = serde_json::from_slice(&part(&page, "texts-1").unwrap()).unwrap();
    assert_eq!(listed[29], "text 29");
    let refused = |report: Report<'_>, words: &str| {
        let message = report.render().unwrap_err().to_string();
        assert!(message.contains(words), "{message}");
    };
    refused(report.clone().values("age", 0, Values::Numbers(vec![1.0])), "age");
    refused(report.clone().values("age", 7, numbers), "7");
    refused(report.clone().texts(0, vec![]), "texts of \"one\"");
    refused(report.clone().features(vec!["price".into()]), "price");
    refused(report.clone().max_points(0), "max_points");
    refused(Report::new(&alignment).datasets(&datasets[..1]), "datasets");
    let wider = [Dataset::new("one", cloud(30, 5, 1)).unwrap(), datasets[1].clone()];
    refused(Report::new(&alignment).datasets(&wider), "5");
}

#[test]
fn words_of_sparse_rows_and_three_datasets() {
    let triplets: Vec<(usize, usize, f64)> =
        (0..90).flat_map(|i| (0..4).map(move |k| (i, (i * 7 + k * 11) % 40, 1.0 + k as f64))).collect();
    let names: Vec<String> = (0..40).map(|j| format!("word{j}")).collect();
    let rows = Csr::from_triplets(90, 40, &triplets).unwrap();
    let datasets = ["a", "b", "c"].map(|n| Dataset::new(n, rows.clone()).unwrap().with_columns(names.clone()).unwrap());
    let table: Vec<[i64; 3]> = (0..30).map(|i| [i; 3]).collect();
    let alignment = InstanceAlignment::new(3).fit(&datasets, &Pairs::from_table(&table).unwrap()).unwrap();
    let page = Report::new(&alignment).render().unwrap();
    let about = manifest(&page);
    assert_eq!(about["partners"].as_array().unwrap().len(), 6);
    assert_eq!(about["features"][2]["k"], 8);
    let listed: Vec<String> = serde_json::from_slice(&part(&page, "features-names-0").unwrap()).unwrap();
    assert!(listed.iter().all(|n| n.starts_with("word")));
    assert!(about["before"][0].is_array() && page.notes.is_empty(), "{:?}", page.notes);
}
