//! New rows beside fitted ones: columns that have names are matched by name.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;

use foldhash::fast::RandomState;
use landbridge::data::Rows;
use landbridge::linalg::{Csr, Matrix, Scalar};

use crate::documents::{KnownWords, TextRecipe};
use crate::error::{Error, Result};
use crate::format::{Loaded, read_matrix};
use crate::options::ReadOptions;
use crate::text::{counted, excerpt, listed, verb};

/// Names that a message shows.
const SHOWN: usize = 5;

/// What the user should know about new rows; [`Display`](fmt::Display) gives the sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnNote {
    /// The columns had another order.
    Reordered,
    /// Columns that the model does not know were left out.
    Ignored {
        /// What a column is: "column", or "item" where what is not stored is unknown.
        what: &'static str,
        /// The first five of them.
        names: Vec<String>,
        /// How many there are.
        count: usize,
    },
    /// Documents without a single word that the model knows.
    NoKnownWord {
        /// How many documents.
        documents: usize,
        /// Of how many.
        of: usize,
    },
    /// Far fewer words of the text are known than text like that of the fit would have.
    FewKnownWords {
        /// The words of the text.
        words: KnownWords,
        /// The share that is expected, in percent.
        expected: u8,
    },
    /// Rows (users) without a rating of an item that the model knows.
    NoRating {
        /// How many rows.
        rows: usize,
        /// Of how many.
        of: usize,
    },
}

impl fmt::Display for ColumnNote {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ColumnNote::Reordered => {
                out.write_str("the columns of the new rows have another order than at the fit; they are matched by name")
            }
            ColumnNote::Ignored { what, names, count } => {
                let (subject, is) = (counted(*count, what), verb(*count, "was", "were"));
                let ignored = verb(*count, "is", "are");
                write!(out, "{subject} of the new rows {is} not there at the fit and {ignored} ignored: {}", listed(names))
            }
            ColumnNote::NoKnownWord { documents, of } => {
                let has = verb(*documents, "has", "have");
                write!(out, "{documents} of {} {has} no word that the model knows; ", counted(*of, "document"))?;
                out.write_str("the place of a document without words means nothing")
            }
            ColumnNote::FewKnownWords { words: KnownWords { known, of }, expected } => {
                let share = 100.0 * *known as f64 / (*of).max(1) as f64;
                write!(
                    out,
                    "the model knows {share:.0} % of the words of the new text ({known} of {of}), and would know about "
                )?;
                write!(out, "{expected} % of text like that of the fit; this may be another language, or another dataset")
            }
            ColumnNote::NoRating { rows, of } => {
                let has = verb(
                    *rows,
                    "has no rating of an item that the model knows; it counts",
                    "have no rating of an item that the model knows; they count",
                );
                let average = verb(*rows, "an average row", "average rows");
                write!(out, "{rows} of {} {has} as {average}", counted(*of, "row"))
            }
        }
    }
}

/// How the columns of new rows become those of the fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchedColumns {
    /// For each fitted column, the column of the new rows that holds it. None where the columns are right as they are.
    pub order: Option<Vec<usize>>,
    /// What the user should know.
    pub notes: Vec<ColumnNote>,
}

/// Matches the columns of new rows with those of the fit by name.
///
/// - The same names in the same order are right as they are.
/// - Another order is put right, and columns that the fit did not have are left out; a note says so.
/// - Missing columns are an error that names the first five, and so is a name that occurs twice.
/// - Without names on one of the sides, only the number of columns is compared.
///
/// `rows` is what messages call the new rows.
///
/// ```
/// use landbridge_io::match_columns;
/// let names = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
/// let matched = match_columns("new.csv", 2, Some(&names("x y")), 3, Some(&names("y z x")))?;
/// assert_eq!(matched.order.unwrap(), [2, 0]);
/// assert_eq!(matched.notes.len(), 2);
/// let error = match_columns("new.csv", 2, Some(&names("x y")), 1, Some(&names("x"))).unwrap_err();
/// assert_eq!(error.to_string(), "new.csv: 1 column of the fit is missing: \"y\"");
/// # Ok::<(), landbridge_io::Error>(())
/// ```
pub fn match_columns(
    rows: &str,
    n_fitted: usize,
    fitted: Option<&[String]>,
    n_given: usize,
    given: Option<&[String]>,
) -> Result<MatchedColumns> {
    let (Some(fitted), Some(given)) = (fitted, given) else {
        return match n_given == n_fitted {
            true => Ok(MatchedColumns { order: None, notes: vec![] }),
            false => Err(Error::ColumnCount { rows: rows.into(), expected: n_fitted, got: n_given }),
        };
    };
    let Some(matched) = Matched::new(rows, fitted, given)? else {
        return Ok(MatchedColumns { order: None, notes: vec![] });
    };
    let missing: Vec<&String> = fitted.iter().zip(&matched.from).filter(|(_, from)| from.is_none()).map(|(n, _)| n).collect();
    if !missing.is_empty() {
        let names = shown(missing.iter().copied());
        return Err(Error::MissingColumns { rows: rows.into(), names: listed(&names), count: missing.len() });
    }
    let order: Vec<usize> = matched.from.iter().flatten().copied().collect();
    let mut notes = vec![];
    if !order.is_sorted() {
        notes.push(ColumnNote::Reordered);
    }
    notes.extend(matched.ignored("column", given));
    Ok(MatchedColumns { order: Some(order), notes })
}

/// New rows with the columns of the fit, in its order: `n_fitted` columns, and their names where they had names.
///
/// Names are matched as [`match_columns`] does. Partly known rows (ratings) may lack columns: their values are unknown.
pub fn like_fitted(loaded: Loaded, rows: &str, n_fitted: usize, fitted: Option<&[String]>) -> Result<(Loaded, Vec<ColumnNote>)> {
    if let (Some(items), true, Some(given), Rows::Sparse(known)) = (fitted, loaded.partly_known, &loaded.columns, &loaded.rows) {
        let Some(matched) = Matched::new(rows, items, given)? else {
            let notes = no_rating(&loaded.rows).into_iter().collect();
            return Ok((loaded, notes));
        };
        if matched.from.iter().all(Option::is_none) {
            let (count, first) = (items.len(), items.first().map_or("", String::as_str));
            let why = format!(
                "none of their {} items is among the {count} of the fit, such as \"{first}\"; they may be of another dataset, or spelled otherwise",
                given.len()
            );
            return Err(landbridge::Error::Undefined { what: format!("a place for {rows}"), why }.into());
        }
        let placed: Rows = matched.place(known)?.into();
        let notes = matched.ignored("item", given).into_iter().chain(no_rating(&placed)).collect();
        return Ok((Loaded { rows: placed, columns: Some(items.to_vec()), ..loaded }, notes));
    }
    let MatchedColumns { order, notes } = match_columns(rows, n_fitted, fitted, loaded.rows.ncols(), loaded.columns.as_deref())?;
    let (Some(order), Some(fitted)) = (order, fitted) else { return Ok((loaded, notes)) };
    let rows = match &loaded.rows {
        Rows::F64(m) => taken(m, &order).into(),
        Rows::F32(m) => taken(m, &order).into(),
        Rows::Sparse(m) => Matched { from: order.iter().copied().map(Some).collect(), n_given: m.ncols() }.place(m)?.into(),
    };
    Ok((Loaded { rows, columns: Some(fitted.to_vec()), ..loaded }, notes))
}

/// Reads new rows of a fitted dataset: [`read_matrix`], then [`like_fitted`]. With [`ReadOptions::recipe`] the notes also
/// tell of text that the model hardly knows.
///
/// ```
/// use landbridge_io::{ReadOptions, read_new};
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("new.csv");
/// std::fs::write(&path, "y,x\n2,1\n4,3\n")?;
/// let fitted = ["x".to_string(), "y".to_string()];
/// let (new, notes) = read_new(&path, &ReadOptions::default(), "new rows of en", 2, Some(&fitted))?;
/// assert_eq!((new.columns.unwrap(), notes.len()), (fitted.to_vec(), 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_new(
    path: impl AsRef<Path>,
    options: &ReadOptions,
    rows: &str,
    n_fitted: usize,
    fitted: Option<&[String]>,
) -> Result<(Loaded, Vec<ColumnNote>)> {
    new_rows(read_matrix(path, options)?, options, rows, n_fitted, fitted)
}

/// As [`read_new`], of rows that were read already.
pub fn new_rows(
    loaded: Loaded,
    options: &ReadOptions,
    rows: &str,
    n_fitted: usize,
    fitted: Option<&[String]>,
) -> Result<(Loaded, Vec<ColumnNote>)> {
    // Text that no recipe was followed for: only now it is known that lines of jsonl are not vectors.
    if loaded.recipe.is_some() {
        let why = "they were not fitted from text, so that new text has no place among them".into();
        return Err(landbridge::Error::Undefined { what: format!("text as {rows}"), why }.into());
    }
    let (new, mut notes) = like_fitted(loaded, rows, n_fitted, fitted)?;
    notes.extend(options.recipe.iter().flat_map(|recipe| notes_of_text(&new, recipe, new.words)));
    Ok((new, notes))
}

/// What to say of text that was read with the recipe of a model: of documents without a word that the model knows, and of text
/// with few such words. `words` are those of this text, and of what came before it.
pub fn notes_of_text(new: &Loaded, recipe: &TextRecipe, words: Option<KnownWords>) -> Vec<ColumnNote> {
    let none = empty_rows(&new.rows).map(|(documents, of)| ColumnNote::NoKnownWord { documents, of });
    let few = words.and_then(|words| {
        let expected = (100.0 * words.unlike(recipe)?).round() as u8;
        Some(ColumnNote::FewKnownWords { words, expected })
    });
    none.into_iter().chain(few).collect()
}

/// What to say of ratings, where some rows have none.
pub fn no_rating(rows: &Rows) -> Option<ColumnNote> {
    empty_rows(rows).map(|(rows, of)| ColumnNote::NoRating { rows, of })
}

/// Sparse rows that store nothing, and of how many; none if there is no such row.
fn empty_rows(rows: &Rows) -> Option<(usize, usize)> {
    let Rows::Sparse(rows) = rows else { return None };
    let empty = (0..rows.nrows()).filter(|&i| rows.row_indices(i).is_empty()).count();
    (empty > 0).then_some((empty, rows.nrows()))
}

/// For each fitted column, the column of the new rows that has its name.
struct Matched {
    from: Vec<Option<usize>>,
    n_given: usize,
}

impl Matched {
    /// None where the names are equal, one by one; then they may even repeat.
    fn new(rows: &str, fitted: &[String], given: &[String]) -> Result<Option<Self>> {
        if fitted == given {
            return Ok(None);
        }
        unique(fitted, || "the fitted rows".into())?;
        let place = unique(given, || rows.into())?;
        let from = fitted.iter().map(|name| place.get(name.as_str()).copied()).collect();
        Ok(Some(Self { from, n_given: given.len() }))
    }

    /// For each column of the new rows, its place among the fitted ones.
    fn to(&self) -> Vec<Option<usize>> {
        let mut to = vec![None; self.n_given];
        for (place, from) in self.from.iter().enumerate() {
            if let Some(from) = from {
                to[*from] = Some(place);
            }
        }
        to
    }

    fn ignored(&self, what: &'static str, given: &[String]) -> Option<ColumnNote> {
        let to = self.to();
        let unknown = || given.iter().zip(&to).filter(|(_, place)| place.is_none()).map(|(name, _)| name);
        let count = unknown().count();
        (count > 0).then(|| ColumnNote::Ignored { what, names: shown(unknown()), count })
    }

    /// Sparse rows with the fitted columns.
    fn place(&self, rows: &Csr) -> Result<Csr> {
        let to = self.to();
        let mut entries = vec![];
        for i in 0..rows.nrows() {
            entries.extend(rows.row(i).filter_map(|(j, v)| to[j as usize].map(|place| (i, place, v))));
        }
        Ok(Csr::from_triplets(rows.nrows(), self.from.len(), &entries)?)
    }
}

/// The place of each name; a name that occurs twice is refused.
fn unique(names: &[String], whose: impl Fn() -> String) -> Result<HashMap<&str, usize, RandomState>> {
    let mut place: HashMap<&str, usize, RandomState> = HashMap::with_capacity_and_hasher(names.len(), RandomState::default());
    for (second, name) in names.iter().enumerate() {
        if let Some(first) = place.insert(name, second) {
            return Err(Error::RepeatedColumn { rows: whose(), name: excerpt(name.as_bytes()), first, second });
        }
    }
    Ok(place)
}

fn taken<T: Scalar>(rows: &Matrix<T>, order: &[usize]) -> Matrix<T> {
    Matrix::from_fn(rows.nrows(), order.len(), |i, j| rows[(i, order[j])])
}

fn shown<'a>(names: impl Iterator<Item = &'a String>) -> Vec<String> {
    names.take(SHOWN).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        text.split_whitespace().map(String::from).collect()
    }

    fn dense(columns: Option<&str>, values: &[f64]) -> Loaded {
        let rows = Matrix::from_vec(values.to_vec(), 1, values.len()).unwrap();
        Loaded { columns: columns.map(names), ..Loaded::new(rows.into()) }
    }

    fn matched(loaded: Loaded, fitted: &str) -> Result<(Vec<f64>, Vec<String>)> {
        let fitted = names(fitted);
        let (like, notes) = like_fitted(loaded, "new rows of en", fitted.len(), Some(&fitted))?;
        assert_eq!(like.rows.ncols(), fitted.len());
        let values = match like.rows {
            Rows::F64(m) => m.into_vec(),
            Rows::F32(m) => m.to_f64().into_vec(),
            Rows::Sparse(m) => m.to_dense().into_vec(),
        };
        Ok((values, notes.iter().map(ToString::to_string).collect()))
    }

    #[test]
    fn columns_are_matched_by_name() {
        let reordered = "the columns of the new rows have another order than at the fit; they are matched by name";
        assert_eq!(matched(dense(Some("a b c"), &[1.0, 2.0, 3.0]), "a b c").unwrap(), (vec![1.0, 2.0, 3.0], vec![]));
        assert_eq!(
            matched(dense(Some("c a b"), &[3.0, 1.0, 2.0]), "a b c").unwrap(),
            (vec![1.0, 2.0, 3.0], vec![reordered.into()])
        );
        let ignored = "1 column of the new rows was not there at the fit and is ignored: \"z\"";
        assert_eq!(matched(dense(Some("a z b"), &[1.0, 9.0, 2.0]), "a b").unwrap(), (vec![1.0, 2.0], vec![ignored.into()]));
        let six = dense(Some("b z1 z2 a z3 z4 z5 z6"), &[2.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
        let (values, notes) = matched(six, "a b").unwrap();
        let ignored =
            "6 columns of the new rows were not there at the fit and are ignored: \"z1\", \"z2\", \"z3\", \"z4\", \"z5\"";
        assert_eq!((values, notes), (vec![1.0, 2.0], vec![reordered.into(), ignored.into()]));
    }

    #[test]
    fn single_precision_and_sparse_rows_are_matched_too() {
        let loaded = dense(Some("b a"), &[2.0, 1.0]);
        let Rows::F64(m) = &loaded.rows else { panic!("dense") };
        let narrow = Loaded { rows: m.to_f32().into(), ..loaded.clone() };
        assert_eq!(matched(narrow, "a b").unwrap().0, [1.0, 2.0]);
        let sparse = Loaded { rows: Csr::from_dense(m).into(), ..loaded.clone() };
        assert_eq!(matched(sparse, "a b").unwrap().0, [1.0, 2.0]);
    }

    #[test]
    fn missing_and_repeated_names_are_refused() {
        let message = |columns: &str, fitted: &str| {
            let values = vec![0.0; columns.split_whitespace().count()];
            matched(dense(Some(columns), &values), fitted).unwrap_err().to_string()
        };
        assert_eq!(message("a b", "a c"), "new rows of en: 1 column of the fit is missing: \"c\"");
        assert_eq!(
            message("a", "a b c d e f g"),
            "new rows of en: 6 columns of the fit are missing: \"b\", \"c\", \"d\", \"e\", \"f\""
        );
        assert_eq!(message("a b a", "a b"), "new rows of en: the name \"a\" stands for column 0 and for column 2");
        assert_eq!(message("b a", "a a"), "the fitted rows: the name \"a\" stands for column 0 and for column 1");
        // Equal names need no place of their own.
        assert_eq!(matched(dense(Some("a a"), &[1.0, 2.0]), "a a").unwrap(), (vec![1.0, 2.0], vec![]));
    }

    #[test]
    fn without_names_only_the_number_counts() {
        assert_eq!(matched(dense(None, &[1.0, 2.0]), "a b").unwrap(), (vec![1.0, 2.0], vec![]));
        assert_eq!(
            matched(dense(None, &[1.0]), "a b").unwrap_err().to_string(),
            "new rows of en: there is 1 column; the model was fitted with 2"
        );
        let (like, notes) = like_fitted(dense(Some("a b"), &[1.0, 2.0]), "new", 2, None).unwrap();
        assert_eq!((like.columns.unwrap(), notes), (names("a b"), vec![]));
        assert!(matches!(like_fitted(dense(Some("a b"), &[1.0, 2.0]), "new", 3, None), Err(Error::ColumnCount { .. })));
    }

    #[test]
    fn ratings_may_lack_items() {
        let rows = Csr::from_triplets(2, 3, &[(0, 0, 5.0), (0, 1, 0.0), (1, 2, 3.0)]).unwrap();
        let loaded = Loaded { columns: Some(names("y new x")), partly_known: true, ..Loaded::new(rows.into()) };
        let (like, notes) = like_fitted(loaded, "new", 3, Some(&names("x y z"))).unwrap();
        let Rows::Sparse(rows) = like.rows else { panic!("ratings are sparse") };
        assert_eq!((rows.row_indices(0), rows.row_indices(1), rows.values()), (&[1u32][..], &[0u32][..], &[5.0, 3.0][..]));
        assert_eq!(notes[0].to_string(), "1 item of the new rows was not there at the fit and is ignored: \"new\"");
        assert_eq!(notes.len(), 1);
        let rows = Csr::from_triplets(3, 2, &[(0, 0, 5.0), (1, 1, 4.0)]).unwrap();
        let some = Loaded { columns: Some(names("y new")), partly_known: true, ..Loaded::new(rows.into()) };
        let said = like_fitted(some.clone(), "new", 3, Some(&names("x y z"))).unwrap().1.pop().unwrap().to_string();
        assert_eq!(said, "2 of 3 rows have no rating of an item that the model knows; they count as average rows");
        let said = like_fitted(some, "new", 2, Some(&names("y new"))).unwrap().1.pop().unwrap().to_string();
        assert_eq!(said, "1 of 3 rows has no rating of an item that the model knows; it counts as an average row");
        let rows = Csr::from_triplets(1, 1, &[(0, 0, 5.0)]).unwrap();
        let other = Loaded { columns: Some(names("X")), partly_known: true, ..Loaded::new(rows.into()) };
        let error = like_fitted(other, "new ratings", 3, Some(&names("x y z"))).unwrap_err().to_string();
        assert!(error.contains("none of their 1 items is among the 3 of the fit, such as \"x\""), "{error}");
    }

    #[test]
    fn documents_without_known_words_are_counted() {
        let note = |entries: &[(usize, usize, f64)]| {
            empty_rows(&Csr::from_triplets(3, 2, entries).unwrap().into())
                .map(|(documents, of)| ColumnNote::NoKnownWord { documents, of })
        };
        let said = note(&[(1, 0, 1.0)]).unwrap().to_string();
        assert!(said.starts_with("2 of 3 documents have no word that the model knows"), "{said}");
        let said = note(&[(1, 0, 1.0), (2, 0, 1.0)]).unwrap().to_string();
        assert!(said.starts_with("1 of 3 documents has no word that the model knows"), "{said}");
        assert_eq!(note(&[(0, 0, 1.0), (1, 0, 1.0), (2, 0, 1.0)]), None);
    }
}
