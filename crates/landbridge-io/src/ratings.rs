//! Ratings: lines of user, item, rating become a sparse matrix, a row per user and a column per item. What was rated
//! is stored, also a rating of 0; what is not stored is not known.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use foldhash::fast::RandomState;
use landbridge::data::Rows;

use crate::columns::{ColumnNote, like_fitted};
use crate::delimited::{csv_error, line_of, records, utf8};
use crate::error::{Error, Result};
use crate::format::Loaded;
use crate::layout::cell_reader;
use crate::options::{Missing, ReadOptions};
use crate::source::too_large;
use crate::sparse;
use crate::text::{Cell, PIECE, excerpt, lines, parse_pieces};

/// Cells that count; more may follow (a time).
const CELLS: usize = 3;

/// Words in the names of the columns of ratings: who, what, and how good.
const WORDS: [&[&str]; 3] = [
    &["user", "customer", "person", "reader", "reviewer", "member"],
    &["item", "movie", "film", "book", "product", "song", "track", "game", "title"],
    &["rating", "stars", "score"],
];

/// The columns of users, items and ratings, where the names of a table say that its lines are ratings. A time may follow.
pub fn columns_of_ratings(columns: &[String]) -> Option<[&str; 3]> {
    if !(CELLS..=CELLS + 1).contains(&columns.len()) {
        return None;
    }
    let named = |words: &[&str]| columns.iter().find(|c| words.iter().any(|word| c.to_lowercase().contains(word)));
    let [user, item, rating] = WORDS.map(named);
    let found = [user?.as_str(), item?, rating?];
    (found[0] != found[1] && found[0] != found[2] && found[1] != found[2]).then_some(found)
}

/// Says that the lines of a table look like ratings, although they were read as rows of features.
pub fn note_of_ratings(columns: &[String]) -> Option<String> {
    columns_of_ratings(columns)?;
    let (names, count) = (columns.join(", "), columns.len());
    Some(format!(
        "the columns {names} are taken as {count} features; if the lines are ratings, read them so (CLI: --ratings, Python: ratings=True)"
    ))
}

/// Ratings with the items of a model, in its order; and how many items it does not know, whose ratings are left out.
/// [`like_fitted`] does the same for rows of every kind.
pub fn ratings_like(loaded: Loaded, items: &[String]) -> Result<(Loaded, usize)> {
    if loaded.columns.is_none() || !matches!(loaded.rows, Rows::Sparse(_)) {
        return Ok((loaded, 0));
    }
    let loaded = Loaded { partly_known: true, ..loaded };
    let (like, notes) = like_fitted(loaded, "the new ratings", items.len(), Some(items))?;
    let ignored = |note: &ColumnNote| if let ColumnNote::Ignored { count, .. } = note { *count } else { 0 };
    Ok((like, notes.iter().map(ignored).sum()))
}

struct Rating<'a> {
    user: Cow<'a, [u8]>,
    item: Cow<'a, [u8]>,
    value: f64,
    line: u64,
}

/// Users and items in the order in which they first occur.
pub(crate) fn read(path: &Path, text: &[u8], delimiter: u8, options: &ReadOptions) -> Result<Loaded> {
    let of_tables = [
        ("id_column", options.id_column.is_some()),
        ("label_column", options.label_column.is_some()),
        ("batch_column", options.batch_column.is_some()),
        ("columns", options.columns.is_some()),
    ];
    for (option, given) in of_tables {
        if given {
            return Err(Error::OptionWithoutMeaning { path: path.into(), option, format: "ratings" });
        }
    }
    let ratings = if text.contains(&b'"') {
        quoted(path, text, delimiter, options)?
    } else {
        let parts = parse_pieces(text, PIECE, 1, |piece, line| plain(path, piece, line, delimiter, options));
        parts.into_iter().flatten().collect()
    };
    collect(path, ratings, options)
}

type Parsed<'a> = (u64, Result<Rating<'a>>);

fn plain<'a>(path: &Path, piece: &'a [u8], first_line: u64, delimiter: u8, options: &ReadOptions) -> Vec<Parsed<'a>> {
    let cells = |bytes: &'a [u8]| bytes.split(move |&b| b == delimiter).map(Cow::Borrowed);
    lines(piece, first_line).map(|(line, bytes)| (line, rating(path, line, cells(bytes), options))).collect()
}

fn quoted<'a>(path: &Path, text: &[u8], delimiter: u8, options: &ReadOptions) -> Result<Vec<Parsed<'a>>> {
    let mut reader = records(text, delimiter);
    let mut record = csv::ByteRecord::new();
    let mut found = vec![];
    while reader.read_byte_record(&mut record).map_err(|e| csv_error(path, e))? {
        let line = line_of(text, record.position());
        found.push((line, rating(path, line, record.iter().map(|c| Cow::Owned(c.to_vec())), options)));
    }
    Ok(found)
}

fn rating<'a>(
    path: &Path,
    line: u64,
    mut cells: impl Iterator<Item = Cow<'a, [u8]>>,
    options: &ReadOptions,
) -> Result<Rating<'a>> {
    let short = |got| Error::Ragged { path: path.into(), line, expected: CELLS, got };
    let user = cells.next().ok_or_else(|| short(0))?;
    let item = cells.next().ok_or_else(|| short(1))?;
    let value = cells.next().ok_or_else(|| short(2))?;
    for (what, name) in [("user", &user), ("item", &item)] {
        if name.trim_ascii().is_empty() {
            return Err(Error::BadLine { path: path.into(), line, problem: format!("the {what} is missing") });
        }
    }
    let column = || "\"rating\"".to_string();
    let value = match cell_reader(options)(&value) {
        Cell::Number(value) => value,
        Cell::Missing if options.missing != Missing::Error => f64::NAN,
        Cell::Missing => return Err(Error::Missing { path: path.into(), line, column: column(), value: excerpt(&value) }),
        Cell::Text => return Err(Error::NotANumber { path: path.into(), line, column: column(), value: excerpt(&value) }),
    };
    Ok(Rating { user, item, value, line })
}

fn collect(path: &Path, mut parsed: Vec<Parsed>, options: &ReadOptions) -> Result<Loaded> {
    // A header is a first line whose third cell is not a number.
    let is_header = match (options.header, parsed.first()) {
        (Some(told), _) => told,
        (None, Some((_, Err(Error::NotANumber { .. })))) => true,
        _ => false,
    };
    if is_header && !parsed.is_empty() {
        parsed.drain(..1);
    }
    if parsed.is_empty() {
        return Err(Error::NoData { path: path.into(), rows: 0, columns: 0 });
    }
    let needed = parsed.len() as u64 * 16;
    if needed > options.max_memory {
        return Err(too_large(path, "the matrix", needed.into(), options.max_memory));
    }
    let (mut users, mut items) = (Names::default(), Names::default());
    let (mut rows, mut columns, mut values) = (vec![], vec![], vec![]);
    let mut seen: HashMap<(u32, u32), (), RandomState> = HashMap::default();
    for (_, rating) in parsed {
        let Rating { user, item, value, line } = rating?;
        let place = (users.number(path, line, user)?, items.number(path, line, item)?);
        if seen.insert(place, ()).is_some() {
            let (user, item) = (&users.names[place.0 as usize], &items.names[place.1 as usize]);
            let problem = format!("user \"{user}\" has rated item \"{item}\" before");
            return Err(Error::BadLine { path: path.into(), line, problem });
        }
        rows.push(place.0);
        columns.push(place.1);
        values.push(value);
    }
    drop(seen);
    let shape = (users.names.len(), items.names.len());
    let matrix = sparse::from_entries(path, shape, rows, columns, values)?;
    Ok(Loaded { row_ids: Some(users.names), columns: Some(items.names), partly_known: true, ..Loaded::new(matrix.into()) })
}

/// Names with numbers, in the order in which they come.
#[derive(Default)]
struct Names {
    numbers: HashMap<Vec<u8>, u32, RandomState>,
    names: Vec<String>,
}

impl Names {
    fn number(&mut self, path: &Path, line: u64, name: Cow<[u8]>) -> Result<u32> {
        let name = name.trim_ascii();
        if let Some(&number) = self.numbers.get(name) {
            return Ok(number);
        }
        let number = self.names.len() as u32;
        self.names.push(utf8(path, line, name)?);
        self.numbers.insert(name.to_vec(), number);
        Ok(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Format;
    use crate::{Delimited, Input};
    use landbridge::data::Rows;

    fn read_text(text: &str, options: ReadOptions) -> Result<Loaded> {
        let options = ReadOptions { ratings: true, ..options };
        Delimited::CSV.read(Input::from_bytes(Path::new("a.csv"), text.into(), 1 << 20)?, &options)
    }

    #[test]
    fn what_is_rated_is_stored_a_zero_too() {
        for text in [
            "user,item,rating\nann,x,5\nbob,y,0\nann,y,2.5\n",
            "ann,x,5\nbob,y,0\nann,y,2.5\n",
            "u,i,r,time\nann,x,5,1\n\"bob\",y,0,2\nann,y,2.5,3\n",
        ] {
            let loaded = read_text(text, ReadOptions::default()).unwrap();
            assert_eq!(loaded.row_ids.unwrap(), ["ann", "bob"]);
            assert_eq!(loaded.columns.unwrap(), ["x", "y"]);
            let Rows::Sparse(m) = loaded.rows else { panic!("ratings are sparse") };
            assert_eq!((m.nnz(), m.row_indices(1), m.row_values(1)), (3, &[1u32][..], &[0.0][..]), "{text}");
            assert_eq!(m.to_dense().as_slice(), [5.0, 2.5, 0.0, 0.0]);
        }
    }

    #[test]
    fn wrong_lines_are_named() {
        let message = |text: &str| read_text(text, ReadOptions::default()).unwrap_err().to_string();
        assert_eq!(message("a,x,5\na,x,4\n"), "a.csv line 2: user \"a\" has rated item \"x\" before");
        assert_eq!(message("a,x,5\na,y\n"), "a.csv line 2: 2 fields where 3 are expected");
        assert_eq!(message("a,x,5\n,y,1\n"), "a.csv line 2: the user is missing");
        assert_eq!(message("a,x,5\na,y,good\n"), "a.csv line 2, column \"rating\": \"good\" is not a number");
        assert_eq!(message("a,x,5\na,y,\n"), "a.csv line 2, column \"rating\": the value is missing (\"\")");
        assert_eq!(message("user,item,rating\n"), "a.csv: no data: 0 rows and 0 columns");
        let options = ReadOptions { label_column: Some("x".into()), ..Default::default() };
        assert!(matches!(read_text("a,x,5\n", options), Err(Error::OptionWithoutMeaning { option: "label_column", .. })));
        let tight = ReadOptions { max_memory: 20, ..Default::default() };
        assert!(matches!(read_text("a,x,5\na,y,5\n", tight), Err(Error::TooLarge { .. })));
    }

    #[test]
    fn names_of_columns_tell_ratings() {
        let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        let told = |columns: &[&str]| columns_of_ratings(&names(columns)).map(|found| found.map(String::from).to_vec());
        assert_eq!(told(&["UserId", "MovieId", "Rating"]), Some(names(&["UserId", "MovieId", "Rating"])));
        assert_eq!(told(&["stars", "book", "reader", "time"]), Some(names(&["reader", "book", "stars"])));
        for other in [&["user", "item"][..], &["user", "item", "price"], &["a", "b", "c"], &["user_item_rating", "b", "c"]] {
            assert_eq!(told(other), None, "{other:?}");
        }
        assert!(note_of_ratings(&names(&["user", "item", "rating"])).unwrap().contains("taken as 3 features"));
    }
}
