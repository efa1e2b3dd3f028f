//! Random commands over random data, checked by plain references.
//!
//! Every story makes datasets and pairs, fits a method with random parameters, and asks the model questions. A command ends with 0, or
//! with a message; it never panics, hangs or leaves a half file. What it answers is compared with loops that a reader can check.
//!
//! A few stories by default. `LANDBRIDGE_SOAK=900` runs them for that many seconds; `LANDBRIDGE_SEED=17` runs one story, which is how a
//! failure is seen again: the seed stands in its message. With both, the stories begin with that seed.

mod common;

use common::{BINARY, Folder, Numbers, npy};
use landbridge::model::Alignment;
use landbridge::params::Kind;
use landbridge::registry;
use landbridge_io::load_model;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// Stories in the normal tests.
const STORIES: u64 = 25;

/// A random choice from a list.
fn one<'a, T>(numbers: &mut Numbers, list: &'a [T]) -> &'a T {
    &list[numbers.below(list.len())]
}

/// One story: its folder, its random numbers, and what it has done so far.
struct Story {
    seed: u64,
    folder: Folder,
    numbers: Numbers,
    said: Vec<String>,
    /// Options that say how the data are read.
    reading: Vec<String>,
}

/// The end of a command.
struct Ended {
    code: i32,
    out: String,
    err: String,
}

impl Story {
    fn new(seed: u64) -> Self {
        let mut numbers = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        (0..4).for_each(|_| {
            numbers.below(2);
        });
        Self { seed, folder: Folder::empty(), numbers, said: vec![], reading: vec![] }
    }

    fn fail(&self, why: &str) -> ! {
        panic!("LANDBRIDGE_SEED={} shows it again: {why}\n{}", self.seed, self.said.join("\n"))
    }

    /// Runs a command; anything but a clean end fails the story.
    fn run(&mut self, args: &[String]) -> Ended {
        self.said.push(format!("landbridge {}", args.join(" ")));
        let done = assert_cmd::Command::new(BINARY)
            .current_dir(self.folder.dir.path())
            .args(args)
            .timeout(Duration::from_secs(120))
            .output()
            .unwrap();
        let ended = Ended {
            code: done.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&done.stdout).into_owned(),
            err: String::from_utf8_lossy(&done.stderr).into_owned(),
        };
        if !(0..=3).contains(&ended.code) || ended.err.contains("a bug in landbridge") {
            self.fail(&format!("exit {}: {}", ended.code, ended.err));
        }
        if matches!(ended.code, 1 | 2) && !(ended.err.contains("error:") || ended.err.contains("\"error\"")) {
            self.fail(&format!("exit {} without a message: {}", ended.code, ended.err));
        }
        if self.folder.names().iter().any(|n| n.ends_with(".tmp")) {
            self.fail("a temporary file is left");
        }
        ended
    }

    fn say(&mut self, line: &str) -> Ended {
        let args: Vec<String> = line.split(' ').map(String::from).chain(self.reading.clone()).collect();
        self.run(&args)
    }

    /// A number, mostly ordinary.
    fn value(&mut self, kind: usize) -> f64 {
        let uniform = self.numbers.below(1 << 20) as f64 / f64::from(1 << 20);
        match kind {
            0 => 4.0 * uniform - 2.0,
            1 => self.numbers.below(4) as f64,
            2 if self.numbers.below(4) > 0 => 0.0,
            2 => uniform,
            3 => (uniform - 0.5) * 1e-200,
            _ => (uniform - 0.5) * 1e200,
        }
    }

    /// Writes a dataset and returns the name of its file, or of nothing where the data cannot be used.
    fn dataset(&mut self, name: &str, hidden: &[Vec<f64>], file: &str) -> String {
        let (n, p) = (hidden.len(), 1 + self.numbers.below(7));
        let kind = *one(&mut self.numbers, &[0, 0, 0, 0, 1, 2, 3, 4]);
        let weights: Vec<Vec<f64>> = (0..p).map(|_| (0..hidden[0].len()).map(|_| self.value(0)).collect()).collect();
        let mut rows: Vec<Vec<f64>> = vec![];
        for i in 0..n {
            let place = |w: &Vec<f64>| w.iter().zip(&hidden[i]).map(|(a, b)| a * b).sum::<f64>();
            let size = [1.0, 1.0, 1.0, 1e-200, 1e200][kind];
            let row: Vec<f64> = match kind {
                1 | 2 => (0..p).map(|_| self.value(kind)).collect(),
                _ => weights.iter().map(|w| size * place(w)).collect(),
            };
            rows.push(row);
        }
        // Awkward in places: equal rows, a constant column.
        if self.numbers.below(5) == 0 {
            let (from, to) = (self.numbers.below(n), self.numbers.below(n));
            rows[to] = rows[from].clone();
        }
        if self.numbers.below(8) == 0 {
            let j = self.numbers.below(p);
            rows.iter_mut().for_each(|r| r[j] = 3.0);
        }
        let path = format!("{name}.{file}");
        match file {
            "npy" => {
                let flat: Vec<f64> = rows.concat();
                self.folder.write(&path, npy(&format!("({n}, {p})"), &flat));
            }
            "mtx" => {
                let mut text = String::new();
                let mut stored = 0;
                for (i, row) in rows.iter().enumerate() {
                    for (j, v) in row.iter().enumerate().filter(|(_, v)| **v != 0.0) {
                        stored += 1;
                        writeln!(text, "{} {} {v:e}", i + 1, j + 1).unwrap();
                    }
                }
                self.folder.write(&path, format!("%%MatrixMarket matrix coordinate real general\n{n} {p} {stored}\n{text}"));
            }
            _ => {
                let by = if file == "tsv" { "\t" } else { "," };
                let head: Vec<String> = (0..p).map(|j| format!("{name}{j}")).collect();
                let mut text = format!("id{by}{}\n", head.join(by));
                for (i, row) in rows.iter().enumerate() {
                    let cells: Vec<String> = row.iter().map(|v| format!("{v:e}")).collect();
                    writeln!(text, "{name}{i}{by}{}", cells.join(by)).unwrap();
                }
                self.folder.write(&path, text);
            }
        }
        path
    }

    /// Datasets, pairs, a fit, and questions.
    fn tell(&mut self) -> Outcome {
        let n = 12 + self.numbers.below(50);
        let hidden: Vec<Vec<f64>> = (0..n).map(|_| (0..3).map(|_| self.value(0)).collect()).collect();
        let count = *one(&mut self.numbers, &[2, 2, 2, 3]);
        let names = &["a", "b", "c"][..count];
        let formats: Vec<&str> = names.iter().map(|_| *one(&mut self.numbers, &["csv", "tsv", "npy", "mtx", "csv"])).collect();
        let files: Vec<String> = names.iter().zip(&formats).map(|(name, file)| self.dataset(name, &hidden, file)).collect();
        let mut pairs = names.join(",") + "\n";
        for i in (0..n).filter(|i| i % 3 != 1) {
            let odd = self.numbers.below(40) == 0;
            let cells: Vec<String> = (0..count).map(|s| (if odd && s == 1 { (i + 3) % n } else { i }).to_string()).collect();
            writeln!(pairs, "{}", cells.join(",")).unwrap();
        }
        self.folder.write("pairs.csv", pairs);
        let truth = (0..n).fold(names.join(",") + "\n", |t, i| t + &vec![i.to_string(); count].join(",") + "\n");
        self.folder.write("truth.csv", truth);

        let fit = self.fit_arguments();
        let mut args = fit.clone();
        args.extend(files.iter().cloned());
        args.extend(["--pairs", "pairs.csv", "-o", "m.lb", "--n-jobs", "1"].map(String::from));
        let fitted = self.run(&args);
        if fitted.code != 0 {
            if self.folder.path("m.lb").exists() {
                self.fail("a refused fit wrote a model");
            }
            return Outcome::Refused;
        }
        let bytes = self.folder.read("m.lb");
        // The same bytes on two threads.
        *args.last_mut().unwrap() = "2".into();
        self.run(&args);
        if self.folder.read("m.lb") != bytes {
            self.fail("another model on two threads");
        }
        let model = load_model(self.folder.path("m.lb")).unwrap_or_else(|e| self.fail(&e.to_string()));
        for (s, name) in names.iter().enumerate() {
            if !model.embedding(s).as_slice().iter().all(|v| v.is_finite()) {
                self.fail(&format!("places of {name} are not finite"));
            }
        }
        self.matches_are_the_nearest_rows(&model);
        self.scores_are_counted_right(&model);
        self.rows_are_placed_one_by_one(&files[0]);
        self.pictures_are_whole();
        self.statistics_have_the_same_bytes(&files, count);
        Outcome::Answered
    }

    /// `fit METHOD` with random parameters from the declarations.
    fn fit_arguments(&mut self) -> Vec<String> {
        // Self-training takes seconds for every fit, so it comes rarely.
        let all: Vec<_> = registry::methods();
        let mut schema = *one(&mut self.numbers, &all);
        if matches!(schema.name, "self_training" | "lamvu") && self.numbers.below(4) > 0 {
            schema = all[0];
        }
        let mut args = vec!["fit".to_string(), schema.name.replace('_', "-")];
        for param in &schema.params {
            let value = match (param.name, param.kind) {
                ("n_components", _) => (1 + self.numbers.below(4)).to_string(),
                ("n_neighbors", _) if param.only_for.is_empty() => (2 + self.numbers.below(7)).to_string(),
                ("n_jobs" | "random_state", _) => continue,
                (_, Kind::Word(words)) if self.numbers.below(6) == 0 => one(&mut self.numbers, words).name.replace('_', "-"),
                ("mu" | "nu" | "ridge", Kind::Number) if self.numbers.below(6) == 0 => {
                    one(&mut self.numbers, &["0", "0.1", "1", "1000", "-1", "nan"]).to_string()
                }
                _ => continue,
            };
            args.push(format!("--{}={value}", param.name.replace('_', "-")));
        }
        args
    }

    /// `match` finds the rows that a loop over all rows finds.
    fn matches_are_the_nearest_rows(&mut self, model: &Alignment) {
        let (x, y) = (model.embedding(0), model.embedding(1));
        let k = 1 + self.numbers.below(3);
        let found = self.say(&format!("match m.lb --from a --to b -k {k} --metric euclidean --how nearest -o matches.csv"));
        // Votes give no places.
        if found.err.contains("is not defined") {
            return;
        }
        if found.code != 0 {
            self.fail(&format!("match is refused: {}", found.err));
        }
        let distance = |i: usize, j: usize| {
            let size = x.row(i).iter().chain(y.row(j)).fold(f64::MIN_POSITIVE, |m, v| m.max(v.abs()));
            size * x.row(i).iter().zip(y.row(j)).map(|(a, b)| ((a - b) / size).powi(2)).sum::<f64>().sqrt()
        };
        // Rows that are all zero have no unit in which tiny or huge distances could be squared (docs/reliability.md, known limits).
        let coordinates = |m: &landbridge::linalg::Matrix<f64>| m.as_slice().iter().fold(0.0f64, |most, v| most.max(v.abs()));
        if coordinates(y) == 0.0 && !(1e-150..1e150).contains(&coordinates(x)) {
            return;
        }
        let table = self.folder.text("matches.csv");
        let head: Vec<&str> = table.lines().next().unwrap_or_default().split(',').collect();
        let at: HashMap<&str, usize> = head.iter().enumerate().map(|(c, name)| (*name, c)).collect();
        let mut seen = 0;
        for line in table.lines().skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            let cell = |name: &str| cells[at[name]];
            let (i, rank, told): (usize, usize, f64) =
                (cell("source_row").parse().unwrap(), cell("rank").parse().unwrap(), cell("distance").parse().unwrap());
            let mut all: Vec<f64> = (0..y.nrows()).map(|j| distance(i, j)).collect();
            all.sort_by(f64::total_cmp);
            let largest = all[all.len() - 1].max(f64::MIN_POSITIVE);
            let right = all[rank - 1];
            let own = distance(i, cell("target_row").parse().unwrap());
            if (told - right).abs() > 1e-9 * largest || (own - right).abs() > 1e-9 * largest {
                self.fail(&format!("row {i}, rank {rank}: told {told:e}, its row is {own:e} away, right is {right:e}"));
            }
            seen += 1;
        }
        if seen != k * x.nrows() {
            self.fail(&format!("{seen} matches of {} rows, {k} each", x.nrows()));
        }
    }

    /// `evaluate` counts the rows whose partner is nearest; a tie counts against.
    fn scores_are_counted_right(&mut self, model: &Alignment) {
        let found = self.say("evaluate m.lb --truth truth.csv --metric euclidean --json");
        if found.err.contains("is not defined") {
            return;
        }
        if found.code != 0 {
            self.fail(&format!("evaluate is refused: {}", found.err));
        }
        let json: serde_json::Value = serde_json::from_str(&found.out).unwrap_or_else(|e| self.fail(&e.to_string()));
        let scores = json["pairs"][0]["scores"].as_array().cloned().unwrap_or_default();
        let of = |s: &&serde_json::Value| s["score"] == "recall" && s["k"] == 1 && s["from"] == "a" && s["to"] == "b";
        let Some(told) = scores.iter().find(of).and_then(|s| s["all"].as_f64()) else { self.fail("no recall in the scores") };
        let (x, y) = (model.embedding(0), model.embedding(1));
        let size = x.as_slice().iter().chain(y.as_slice()).fold(f64::MIN_POSITIVE, |m, v| m.max(v.abs()));
        let square = |i: usize, j: usize| x.row(i).iter().zip(y.row(j)).map(|(a, b)| ((a - b) / size).powi(2)).sum::<f64>();
        // Rivals within rounding may count either way.
        let (mut least, mut most) = (0, 0);
        for i in 0..x.nrows() {
            let own = square(i, i);
            let slack = 1e-9 * (own + 1e-9);
            let rivals = (0..y.nrows()).filter(|&j| j != i);
            least += usize::from(rivals.clone().all(|j| square(i, j) > own + slack));
            most += usize::from(rivals.clone().all(|j| square(i, j) > own - slack));
        }
        let n = x.nrows() as f64;
        if told < least as f64 / n - 1e-12 || told > most as f64 / n + 1e-12 {
            self.fail(&format!("recall {told}, a loop counts {least} to {most} of {n}"));
        }
    }

    /// New rows one after the other lie where they lie together.
    fn rows_are_placed_one_by_one(&mut self, file: &str) {
        let placed = self.say(&format!("transform m.lb {file} --dataset a -o together.csv"));
        if placed.code != 0 || !file.ends_with("csv") {
            return;
        }
        let text = self.folder.text(file);
        let lines: Vec<&str> = text.lines().collect();
        let row = 1 + self.numbers.below(lines.len() - 1);
        self.folder.write("single.csv", format!("{}\n{}\n", lines[0], lines[row]));
        let single = self.say("transform m.lb single.csv --dataset a -o alone.csv");
        let (together, alone) = (self.folder.text("together.csv"), self.folder.text("alone.csv"));
        if single.code != 0 || together.lines().nth(row) != alone.lines().nth(1) {
            self.fail(&format!("row {row} alone: {:?}, among others: {:?}", alone.lines().nth(1), together.lines().nth(row)));
        }
    }

    /// Pictures and reports are written whole, without numbers that are none.
    fn pictures_are_whole(&mut self) {
        for (command, output, begin, end) in
            [("plot", "p.svg", "<svg", "</svg>"), ("report", "r.html", "<!doctype html", "</html>")]
        {
            if self.numbers.below(3) > 0 {
                continue;
            }
            let done = self.say(&format!("{command} m.lb -o {output}"));
            if done.err.contains("is not defined") {
                continue;
            }
            if done.code != 0 {
                self.fail(&format!("{command} is refused: {}", done.err));
            }
            let text = self.folder.text(output);
            let lower = text.trim_start().get(..begin.len()).unwrap_or_default().to_lowercase();
            if lower != begin || !text.trim_end().ends_with(end) || (output == "p.svg" && text.contains("NaN")) {
                self.fail(&format!("{output} is not whole: it begins with {lower:?}"));
            }
        }
    }

    /// Statistics of the same data have the same bytes, and a method can be solved from them.
    fn statistics_have_the_same_bytes(&mut self, files: &[String], count: usize) {
        if count != 2 || self.numbers.below(3) > 0 {
            return;
        }
        let made = self.say(&format!("stats {} {} --names a,b --pairs pairs.csv -o one.stats", files[0], files[1]));
        if made.code != 0 {
            return;
        }
        let bytes = self.folder.read("one.stats");
        let again = self.say(&format!("stats {} {} --names a,b --pairs pairs.csv -o one.stats", files[0], files[1]));
        if again.code != 0 || self.folder.read("one.stats") != bytes {
            self.fail("statistics of the same data differ");
        }
        self.say("solve cca one.stats -d 1 -o solved.lb");
    }
}

#[derive(PartialEq, Eq)]
enum Outcome {
    Answered,
    Refused,
}

#[test]
fn random_commands_over_random_data() {
    let number = |name: &str| std::env::var(name).ok().and_then(|v| v.parse::<u64>().ok());
    let started = Instant::now();
    let limit = number("LANDBRIDGE_SOAK").map(Duration::from_secs);
    let seeds: Box<dyn Iterator<Item = u64>> = match (number("LANDBRIDGE_SEED"), limit) {
        (Some(seed), None) => Box::new(seed..seed + 1),
        (Some(seed), Some(_)) => Box::new(seed..),
        (None, Some(_)) => Box::new(1000..),
        (None, None) => Box::new(0..STORIES),
    };
    let (mut answered, mut refused, mut commands) = (0, 0, 0);
    for seed in seeds {
        if limit.is_some_and(|limit| started.elapsed() > limit) {
            break;
        }
        let mut story = Story::new(seed);
        match story.tell() {
            Outcome::Answered => answered += 1,
            Outcome::Refused => refused += 1,
        }
        commands += story.said.len();
    }
    println!("{answered} stories answered, {refused} refused with a message, {commands} commands, {:?}", started.elapsed());
    assert!(answered > refused || answered + refused == 1, "{answered} answered, {refused} refused");
}
