//! The missing side from the command line: ratings in, predictions out.

mod common;

use common::Folder;
use std::fmt::Write as _;

const FIT_SHOPS: &str = "fit --ratings --pairs pairs.csv books.csv films.csv -o m.lb";

/// Ratings of 40 users in two shops, lines of user, item, rating; the first 25 users are known in both.
fn shops() -> Folder {
    let folder = Folder::empty();
    let (mut books, mut films) = (String::from("user,item,rating\n"), String::from("user,item,rating\n"));
    let mut pairs = String::from("books,films\n");
    for u in 0..40usize {
        for i in 0..14usize {
            if (u * 5 + i * 3) % 4 != 0 {
                writeln!(books, "u{u},b{i},{}", (u % 5) as f64 - 2.0 + 0.1 * i as f64).unwrap();
            }
            if u < 25 && (u + i) % 3 != 0 {
                writeln!(films, "u{u},f{i},{}", 2.0 * (u % 5) as f64 - 4.0).unwrap();
            }
        }
        if u < 25 {
            writeln!(pairs, "u{u},u{u}").unwrap();
        }
    }
    folder.write("books.csv", &books);
    folder.write("films.csv", &films);
    folder.write("pairs.csv", &pairs);
    folder
}

#[test]
fn every_predicting_method_goes_from_ratings_to_predictions() {
    let folder = shops();
    for (method, more) in [
        ("cle", "-d 3 --n-neighbors 5 --predictor local --n-neighbors-predict 6 --n-neighbors-embed 4"),
        ("clle", "-d 3 --n-neighbors 5 --ridge 0.5 --known stored"),
        ("lamvu", "-d 3 --n-neighbors 5 --n-neighbors-embed 7 --constraints shrink --solver interior"),
        ("lamvu", "-d 3 --n-neighbors 5 --solver laplacian --n-functions 9"),
        ("mean-votes", "--unseen overall"),
        ("popular-votes", "--known rated"),
    ] {
        let value = folder.say(format!("{FIT_SHOPS} --method {method} {more} --json")).succeeded().json();
        assert_eq!(value["method"], method.replace('-', "_"));
        folder.say("predict m.lb books.csv --ratings --from books --to films -o p.csv").succeeded();
        let text = String::from_utf8(folder.read("p.csv")).unwrap();
        assert_eq!(text.lines().count(), 41, "{method}");
        assert!(text.lines().next().unwrap().contains("f3") && !text.contains("NaN"), "{method}");
    }
}

#[test]
fn new_ratings_find_their_items_by_name() {
    let folder = shops();
    folder.say(format!("{FIT_SHOPS} --method clle -d 3 --n-neighbors 5")).succeeded();
    // Other items first, one that the model does not know, and not all of them.
    folder.write("one.csv", "user,item,rating\nnew,b7,2\nnew,unheard,5\nnew,b0,1\n");
    folder.write("two.csv", "user,item,rating\nnew,b0,1\nnew,b7,2\n");
    let predict =
        |file: &str| folder.run(&["predict", "m.lb", file, "--ratings", "--from", "books", "--to", "films"]).succeeded();
    let (one, two) = (predict("one.csv"), predict("two.csv"));
    assert_eq!(one.out, two.out);
    assert!(one.err.contains("1 item"), "{}", one.err);
}

#[test]
fn users_without_a_known_rating_are_told() {
    let folder = shops();
    folder.say(format!("{FIT_SHOPS} --method clle -d 3 --n-neighbors 5")).succeeded();
    folder.write("some.csv", "user,item,rating\nold,b7,2\nnew,unheard,5\nolder,b0,1\n");
    let said = folder.run(&["predict", "m.lb", "some.csv", "--ratings", "--from", "books", "--to", "films"]).succeeded();
    let told = "1 of 3 rows has no rating of an item that the model knows; it counts as an average row";
    assert!(said.err.contains(told), "{}", said.err);
}

#[test]
fn zeros_that_look_like_unknown_ratings_are_told() {
    let folder = Folder::empty();
    let table = |items: usize| {
        let mut out = (0..items).map(|i| format!("i{i}")).collect::<Vec<_>>().join(",") + "\n";
        for u in 0..30usize {
            let stars = |i: usize| if (u + 2 * i).is_multiple_of(3) { 0 } else { 5 - (u * (i + 1)) % 4 };
            out += &((0..items).map(|i| stars(i).to_string()).collect::<Vec<_>>().join(",") + "\n");
        }
        out
    };
    folder.write("books.csv", table(9));
    folder.write("films.csv", table(7));
    folder.write("pairs.csv", (0..20).map(|u| format!("{u},{u}\n")).collect::<String>());
    let fit = ["fit", "clle", "-d", "3", "--n-neighbors", "5", "--pairs", "pairs.csv", "books.csv", "films.csv", "-o", "m.lb"];
    let said = folder.run(&fit).succeeded();
    assert!(said.err.contains("dataset \"books\": 33 % of its entries are 0, and the others look like ratings"), "{}", said.err);
    let rated = folder.run(&[&fit[..], &["--known", "non-zero"]].concat()).succeeded();
    assert!(!rated.err.contains("look like ratings"), "{}", rated.err);
}

#[test]
fn ratings_by_numbers_that_are_read_as_features_are_told() {
    let folder = Folder::empty();
    let lines: String = (0..60).map(|i| format!("{},{},{}\n", i % 20, i * 7 % 11, i % 5)).collect();
    folder.write("a.csv", format!("user_id,movie_id,rating\n{lines}"));
    folder.write("b.csv", format!("x,y,z\n{lines}"));
    folder.write("pairs.csv", "a,b\n0,0\n7,7\n20,20\n31,31\n");
    let said = folder.say("fit instance a.csv b.csv --pairs pairs.csv -d 1 --n-neighbors 5 -o m.lb").succeeded();
    assert!(said.err.contains("a: the columns user_id, movie_id, rating are taken as 3 features"), "{}", said.err);
    assert!(!said.err.contains("x, y, z are taken"), "{}", said.err);
}

#[test]
fn empty_cells_may_stay_unknown() {
    let folder = Folder::empty();
    let (mut a, mut b) = (String::from("id,x,y,z\n"), String::from("id,u,v\n"));
    for i in 0..30 {
        let t = 0.3 * i as f64;
        let hole = if i % 4 == 0 { String::new() } else { format!("{}", t.sin()) };
        writeln!(a, "r{i},{t},{hole},{}", t.cos()).unwrap();
        writeln!(b, "r{i},{},{}", 2.0 * t, t * t).unwrap();
    }
    folder.write("a.csv", &a);
    folder.write("b.csv", &b);
    let fit = |more: &[&str]| {
        let base = ["fit", "--method", "clle", "-d", "2", "--n-neighbors", "5", "--pairs-by-id", "a.csv", "b.csv", "-o", "m.lb"];
        folder.run(&[&base, more].concat())
    };
    assert_eq!(fit(&[]).code, 1, "missing values are refused unless something is said about them");
    fit(&["--missing", "unknown"]).succeeded();
    folder.run(&["predict", "m.lb", "a.csv", "--missing", "unknown", "--from", "a", "--to", "b"]).succeeded();
}

#[test]
fn options_of_other_methods_are_refused() {
    shops().refuses(
        FIT_SHOPS,
        "
        --method clle --solver auto => --solver is not an option of clle
        --method clle --unseen zero => --unseen is not an option of clle
        --method lamvu --mu 2 => --mu is not an option of lamvu
        --method mean-votes -d 3 => -d is not an option of mean-votes
        --method linear --predictor local => --predictor is not an option of linear
        --method lamvu --prepare center => --prepare is not an option of lamvu
        ",
    );
}
