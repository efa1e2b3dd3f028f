//! Small AnnData and MuData files, made here.
#![allow(dead_code, unreachable_pub)] // each test file uses its part

use hdf5_pure::{AttrValue, DatasetBuilder, EnumTypeBuilder, FileBuilder, FinishedGroup, GroupBuilder, make_i8_type};

pub const CELLS: [&str; 4] = ["AAC-1", "ÄÖ,\"", "GGT-1", "T"];
pub const COLUMNS: [&str; 3] = ["CD3", "β2m", "x"];
/// Four cells, three genes.
pub const X: [f64; 12] = [1.0, 0.0, 2.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 4.0, 5.0, 0.0];

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    F64,
    F32,
    I32,
    U8,
    Csr,
    Csc,
    /// As anndata wrote it before version 0.7.
    OldCsr,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Packing {
    None,
    Chunked,
    Gzip,
    Lzf,
    ShuffledWithSums,
}

pub const PACKINGS: [Packing; 5] = [Packing::None, Packing::Chunked, Packing::Gzip, Packing::Lzf, Packing::ShuffledWithSums];

fn pack(data: &mut DatasetBuilder, packing: Packing, chunk: &[u64]) {
    match packing {
        Packing::None => return,
        Packing::Chunked => {}
        Packing::Gzip => drop(data.with_deflate(4)),
        Packing::Lzf => drop(data.with_lzf()),
        Packing::ShuffledWithSums => drop(data.with_shuffle().with_deflate(6).with_fletcher32()),
    }
    data.with_chunks(chunk);
}

/// A file or a group, to put something into.
pub trait Parent {
    fn dataset(&mut self, name: &str) -> &mut DatasetBuilder;
    fn group(&mut self, name: &str) -> GroupBuilder;
    fn add(&mut self, group: FinishedGroup);
    fn attribute(&mut self, name: &str, value: AttrValue);
}

macro_rules! parent {
    ($($kind:ty),*) => {$(
        impl Parent for $kind {
            fn dataset(&mut self, name: &str) -> &mut DatasetBuilder {
                self.create_dataset(name)
            }
            fn group(&mut self, name: &str) -> GroupBuilder {
                self.create_group(name)
            }
            fn add(&mut self, group: FinishedGroup) {
                self.add_group(group);
            }
            fn attribute(&mut self, name: &str, value: AttrValue) {
                self.set_attr(name, value);
            }
        }
    )*};
}
parent!(FileBuilder, GroupBuilder);

fn text(value: &str) -> AttrValue {
    AttrValue::VarLenString(value.into())
}

fn texts(values: &[&str]) -> AttrValue {
    AttrValue::VarLenStringArray(values.iter().map(|v| v.to_string()).collect())
}

/// What may be wrong with a file.
#[derive(Clone, Debug)]
pub struct Wrong {
    pub shape: [i64; 2],
    pub indptr: Vec<i32>,
    pub indices: Vec<i32>,
    pub cells: Vec<&'static str>,
    pub genes: Vec<&'static str>,
    pub codes: Vec<i8>,
    pub index: &'static str,
    pub encoding: &'static str,
    pub matrix: bool,
}

impl Default for Wrong {
    fn default() -> Self {
        Self {
            shape: [4, 3],
            indptr: vec![0, 2, 3, 3, 5],
            indices: vec![0, 2, 2, 0, 1],
            cells: CELLS.to_vec(),
            genes: COLUMNS.to_vec(),
            codes: vec![1, 0, -1, 1],
            index: "_index",
            encoding: "csr_matrix",
            matrix: true,
        }
    }
}

fn x(group: &mut impl Parent, name: &str, kind: Kind, packing: Packing, wrong: &Wrong, factor: f64) {
    let values: Vec<f64> = X.iter().map(|v| v * factor).collect();
    if !matches!(kind, Kind::Csr | Kind::Csc | Kind::OldCsr) {
        let data = group.dataset(name);
        match kind {
            Kind::F32 => data.with_f32_data(&values.iter().map(|&v| v as f32).collect::<Vec<_>>()),
            Kind::I32 => data.with_i32_data(&values.iter().map(|&v| v as i32).collect::<Vec<_>>()),
            Kind::U8 => data.with_u8_data(&values.iter().map(|&v| v as u8).collect::<Vec<_>>()),
            _ => data.with_f64_data(&values),
        };
        data.with_shape(&[4, 3]);
        pack(data, packing, &[3, 2]);
        data.set_attr("encoding-type", text("array"));
        return;
    }
    let mut sparse = group.group(name);
    let (data, indices, indptr) = if kind == Kind::Csc {
        (vec![1.0, 4.0, 5.0, 2.0, 3.0], vec![0, 3, 3, 0, 1], vec![0, 2, 3, 5])
    } else {
        (vec![1.0, 2.0, 3.0, 4.0, 5.0], wrong.indices.clone(), wrong.indptr.clone())
    };
    let data: Vec<f32> = data.iter().map(|v: &f64| (v * factor) as f32).collect();
    if kind == Kind::OldCsr {
        sparse.set_attr("h5sparse_format", text("csr"));
        sparse.set_attr("h5sparse_shape", AttrValue::I64Array(wrong.shape.to_vec()));
    } else {
        sparse.set_attr("encoding-type", text(if kind == Kind::Csc { "csc_matrix" } else { wrong.encoding }));
        sparse.set_attr("shape", AttrValue::I64Array(wrong.shape.to_vec()));
    }
    pack(sparse.create_dataset("data").with_f32_data(&data), packing, &[2]);
    pack(sparse.create_dataset("indices").with_i32_data(&indices), packing, &[2]);
    let wide: Vec<i64> = indptr.iter().map(|&i| i.into()).collect();
    pack(sparse.create_dataset("indptr").with_i64_data(&wide), packing, &[3]);
    group.add(sparse.finish());
}

fn names(group: &mut GroupBuilder, at: &str, values: &[&str], packing: Packing) {
    pack(group.create_dataset(at).with_vlen_strings(values), packing, &[3]);
}

fn fill(root: &mut impl Parent, kind: Kind, packing: Packing, wrong: &Wrong) {
    root.attribute("encoding-type", text("anndata"));
    if wrong.matrix {
        x(root, "X", kind, packing, wrong, 1.0);
    }
    let mut layers = root.group("layers");
    x(&mut layers, "doubled", if kind == Kind::Csr { Kind::F64 } else { kind }, packing, wrong, 2.0);
    root.add(layers.finish());

    let mut obsm = root.group("obsm");
    let pca = obsm.create_dataset("X_pca");
    pca.with_f64_data(&[0.5, -1.0, 2.0, 0.0, 1e-3, 1e3, -0.0, 7.0]).with_shape(&[4, 2]);
    pack(pca, packing, &[2, 2]);
    let mut table = obsm.create_group("table");
    table.set_attr("encoding-type", text("dataframe"));
    table.set_attr("_index", text("_index"));
    table.set_attr("column-order", texts(&["u", "v"]));
    names(&mut table, "_index", &CELLS, packing);
    table.create_dataset("u").with_i32_data(&[0, 1, 2, 3]);
    table.create_dataset("v").with_f64_data(&[0.0, 0.5, 1.0, 1.5]);
    obsm.add_group(table.finish());
    root.add(obsm.finish());

    let mut var = root.group("var");
    var.set_attr("_index", text("gene"));
    names(&mut var, "gene", &wrong.genes, packing);
    root.add(var.finish());

    let truth = || EnumTypeBuilder::with_base(make_i8_type()).raw_value("FALSE", &[0]).raw_value("TRUE", &[1]).build();
    let mut obs = root.group("obs");
    obs.set_attr("encoding-type", text("dataframe"));
    obs.set_attr("_index", text(wrong.index));
    names(&mut obs, "_index", &wrong.cells, packing);
    let mut class = obs.create_group("type");
    class.set_attr("encoding-type", text("categorical"));
    names(&mut class, "categories", &["B", "T"], packing);
    class.create_dataset("codes").with_i8_data(&wrong.codes);
    obs.add_group(class.finish());
    obs.create_dataset("old").with_i8_data(&[0, 1, 1, -1]);
    let mut old = obs.create_group("__categories");
    names(&mut old, "old", &["B", "T"], Packing::None);
    obs.add_group(old.finish());
    names(&mut obs, "text", &["ä", "b", "c", "d"], packing);
    obs.create_dataset("whole").with_i32_data(&[3, -1, 2, 0]);
    obs.create_dataset("real").with_f64_data(&[1.0, 0.5, f64::NAN, 2.25]);
    obs.create_dataset("flag").with_enum_u8_data(truth().unwrap(), &[1, 0, 1, 1]);
    let mut nullable = obs.create_group("nullable");
    nullable.set_attr("encoding-type", text("nullable-integer"));
    nullable.create_dataset("values").with_i64_data(&[7, 1, 9, 10]);
    nullable.create_dataset("mask").with_enum_u8_data(truth().unwrap(), &[0, 1, 0, 0]);
    obs.add_group(nullable.finish());
    root.add(obs.finish());
}

fn anndata_with(kind: Kind, packing: Packing, wrong: &Wrong) -> Vec<u8> {
    let mut file = FileBuilder::new();
    fill(&mut file, kind, packing, wrong);
    file.finish().unwrap()
}

/// One AnnData file.
pub fn anndata(kind: Kind, packing: Packing) -> Vec<u8> {
    anndata_with(kind, packing, &Wrong::default())
}

/// A MuData file with the modalities rna and atac, which are not in the order of the alphabet.
pub fn mudata() -> Vec<u8> {
    let mut file = FileBuilder::new();
    // As mudata does: HDF5 begins behind a block with its name.
    file.with_userblock(512).with_userblock_content(b"MuData (format-version=0.1.0)");
    let mut all = file.create_group("mod");
    all.set_attr("mod-order", texts(&["rna", "atac"]));
    for (name, kind) in [("rna", Kind::F32), ("atac", Kind::Csr)] {
        let mut modality = all.create_group(name);
        fill(&mut modality, kind, Packing::Gzip, &Wrong::default());
        all.add_group(modality.finish());
    }
    file.add_group(all.finish());
    file.finish().unwrap()
}

/// Files with one thing wrong: what, the file, a part of the message.
pub fn contradictions() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let ok = Wrong::default;
    let csr = |wrong: Wrong| anndata_with(Kind::Csr, Packing::Gzip, &wrong);
    let mut never_written = FileBuilder::new();
    never_written.create_dataset("X").with_f64_data(&[]).with_shape(&[0, 3]);
    vec![
        ("a shape with more rows", csr(Wrong { shape: [5, 3], ..ok() }), "indptr [5]"),
        ("a shape with fewer columns", csr(Wrong { shape: [4, 2], ..ok() }), "column 2 of 2"),
        ("a negative shape", csr(Wrong { shape: [-4, 3], ..ok() }), "has the shape"),
        ("a shape of 2^60", csr(Wrong { shape: [4, 1 << 60], ..ok() }), "and stores 5 entries"),
        ("falling row starts", csr(Wrong { indptr: vec![0, 3, 2, 3, 5], ..ok() }), "indptr falls after row 1"),
        ("row starts beyond the data", csr(Wrong { indptr: vec![0, 2, 3, 3, 6], ..ok() }), "consistent CSR arrays"),
        ("negative row starts", csr(Wrong { indptr: vec![0, -2, 3, 3, 5], ..ok() }), "-2 at position 1"),
        ("a column that is not there", csr(Wrong { indices: vec![0, 2, 3, 0, 1], ..ok() }), "column 3 of 3"),
        ("a negative column", csr(Wrong { indices: vec![0, 2, -3, 0, 1], ..ok() }), "-3 at position 2"),
        ("fewer columns than values", csr(Wrong { indices: vec![0, 2], ..ok() }), "indices [2]"),
        ("a cell too few", csr(Wrong { cells: CELLS[..3].to_vec(), ..ok() }), "\"obs\" has 3 names for 4 rows"),
        ("a gene too many", csr(Wrong { genes: vec!["a", "b", "c", "d"], ..ok() }), "4 names for 3 columns"),
        ("a class that has no name", csr(Wrong { codes: vec![0, 1, 2, 0], ..ok() }), "class 2 in"),
        ("a class below -1", csr(Wrong { codes: vec![0, 1, -2, 0], ..ok() }), "class -2 in"),
        ("classes for three cells", csr(Wrong { codes: vec![0, 1, 1], ..ok() }), "3 names for 4 rows"),
        ("an index that is not there", csr(Wrong { index: "barcode", ..ok() }), "no column \"barcode\""),
        ("another encoding", csr(Wrong { encoding: "coo_matrix", ..ok() }), "\"coo_matrix\", cannot be read"),
        ("no rows", never_written.finish().unwrap(), "no data"),
        ("no tables and no X", FileBuilder::new().finish().unwrap(), "it has no X"),
    ]
}
