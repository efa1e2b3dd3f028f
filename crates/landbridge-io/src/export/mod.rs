//! Maps for use without this library: ONNX, npz, safetensors, json. Each has the numbers and the formula.

use std::collections::HashMap;
use std::io::{Cursor, Write};
use std::path::Path;

use landbridge::apply::linear_form::LinearForm;
use serde_json::json;

use crate::error::{Error, Result};
use crate::format::write_packed;
use crate::npy;
use crate::source::name_parts;

mod onnx;

/// Writes the map in the format of the extension: .onnx .npz .safetensors .json, whole or not at all.
///
/// ```
/// use landbridge::data::synthetic::RotatedCopies;
/// use landbridge::method::Cca;
/// let copies = RotatedCopies::new(60).generate()?;
/// let alignment = Cca::new(2).fit(&copies.datasets, &copies.pairs(30, 0)?)?;
/// let folder = tempfile::tempdir()?;
/// landbridge_io::export_map(folder.path().join("map.onnx"), &alignment.linear_form(0)?)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn export_map(path: impl AsRef<Path>, form: &LinearForm) -> Result<()> {
    let path = path.as_ref();
    let bytes = match name_parts(path).extension.as_str() {
        "onnx" => onnx::model(form),
        "npz" => npz(form).map_err(|source| Error::Io { path: path.into(), action: "write", source })?,
        "safetensors" => safetensors(form),
        "json" => format!("{}\n", in_json(form)).into_bytes(),
        other => {
            let known = "onnx, npz, safetensors, json".into();
            return Err(Error::UnknownFormat { path: path.into(), found: format!(".{other}"), known });
        }
    };
    write_packed(path, &|sink| sink.write_all(&bytes))
}

/// The arrays of the map: name, shape, numbers.
fn arrays(form: &LinearForm) -> Vec<(&'static str, Vec<usize>, &[f64])> {
    let mut out = vec![];
    for (name, values) in [("factors", &form.factors), ("mean", &form.mean), ("offset", &form.offset)] {
        if let Some(values) = values {
            out.push((name, vec![values.len()], values.as_slice()));
        }
    }
    if let Some(matrix) = &form.matrix {
        out.push(("matrix", vec![matrix.nrows(), matrix.ncols()], matrix.as_slice()));
    }
    out
}

fn readme(form: &LinearForm) -> String {
    format!("A linear map, written by landbridge.\n\n{}\n", form.formula())
}

fn npz(form: &LinearForm) -> std::io::Result<Vec<u8>> {
    let mut zip = zip::ZipWriter::new(Cursor::new(vec![]));
    // Without a time, so that the same map gives the same bytes.
    let options = zip::write::SimpleFileOptions::default().last_modified_time(zip::DateTime::default());
    for (name, shape, values) in arrays(form) {
        zip.start_file(format!("{name}.npy"), options)?;
        npy::write_header(&mut zip, "<f8", &shape)?;
        npy::write_values(&mut zip, values, f64::to_le_bytes)?;
    }
    zip.start_file("README.txt", options)?;
    zip.write_all(readme(form).as_bytes())?;
    Ok(zip.finish()?.into_inner())
}

/// The container: the length of its header, the header, the numbers.
fn safetensors(form: &LinearForm) -> Vec<u8> {
    let arrays = arrays(form);
    let mut header = serde_json::Map::new();
    header.insert("__metadata__".into(), json!({"format": "landbridge map", "formula": form.formula()}));
    let mut at = 0;
    for (name, shape, values) in &arrays {
        let end = at + 8 * values.len();
        header.insert((*name).into(), json!({"dtype": "F64", "shape": shape, "data_offsets": [at, end]}));
        at = end;
    }
    let mut header = serde_json::Value::Object(header).to_string().into_bytes();
    header.resize(header.len().next_multiple_of(8), b' ');
    let mut out = (header.len() as u64).to_le_bytes().to_vec();
    out.extend(header);
    arrays.iter().for_each(|(_, _, values)| out.extend(values.iter().flat_map(|v| v.to_le_bytes())));
    out
}

fn in_json(form: &LinearForm) -> serde_json::Value {
    let arrays: HashMap<&str, serde_json::Value> = arrays(form)
        .into_iter()
        .map(|(name, shape, values)| match shape[..] {
            [_, width] => (name, json!(values.chunks(width.max(1)).collect::<Vec<_>>())),
            _ => (name, json!(values)),
        })
        .collect();
    let array = |name: &str| arrays.get(name).cloned().unwrap_or_default();
    json!({
        "formula": form.formula(), "source": form.source, "target": form.target, "n_features": form.n_features,
        "width": form.width(), "log": form.log, "factors": array("factors"), "unit_before": form.unit_before,
        "mean": array("mean"), "unit_after": form.unit_after, "matrix": array("matrix"), "offset": array("offset"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, read_matrix};
    use landbridge::data::Prepare;
    use landbridge::data::synthetic::RotatedCopies;
    use landbridge::method::Cca;

    fn form() -> LinearForm {
        let copies = RotatedCopies::new(60).n_features(5).generate().unwrap();
        let pairs = copies.pairs(30, 0).unwrap();
        let fitted = Cca::new(3).prepare(Prepare::CenterUnit).fit(&copies.datasets, &pairs).unwrap();
        fitted.linear_form(0).unwrap()
    }

    #[test]
    fn archives_hold_the_matrix_and_the_formula() {
        let folder = tempfile::tempdir().unwrap();
        let form = form();
        let path = folder.path().join("map.npz");
        export_map(&path, &form).unwrap();
        let options = ReadOptions { key: Some("matrix".into()), ..ReadOptions::default() };
        assert_eq!(read_matrix(&path, &options).unwrap().rows, form.matrix.clone().unwrap().into());
        let again = folder.path().join("again.npz");
        export_map(&again, &form).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), std::fs::read(&again).unwrap());
        let path = folder.path().join("map.json");
        export_map(&path, &form).unwrap();
        let read: serde_json::Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        assert_eq!(read["matrix"][4][2], form.matrix.as_ref().unwrap()[(4, 2)]);
        assert!(read["unit_after"] == true && read["formula"].as_str().unwrap().contains("x - mean"));
        let path = folder.path().join("map.safetensors");
        export_map(&path, &form).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
        let header: serde_json::Value = serde_json::from_slice(&bytes[8..8 + length]).unwrap();
        let end = header["matrix"]["data_offsets"][1].as_u64().unwrap() as usize;
        assert_eq!(bytes.len(), 8 + length + end);
        assert!(export_map(folder.path().join("map.txt"), &form).unwrap_err().to_string().contains("onnx"));
    }
}
