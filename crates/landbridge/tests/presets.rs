//! Every preset fits, and is what it says.

use landbridge::data::synthetic::Helices;
use landbridge::params::Value;
use landbridge::progress::Progress;
use landbridge::registry;

#[test]
fn every_preset_fits_and_keeps_its_parameters() {
    let helices = Helices::new(60).generate().unwrap();
    let pairs = helices.pairs(20, 0).unwrap();
    let presets = registry::presets();
    let mut names: Vec<&str> = presets.iter().map(|p| p.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), presets.len());
    for preset in presets {
        let schema = registry::schema(preset.method).unwrap();
        let mut given: Vec<(String, Value)> = preset.given.iter().map(|(n, v)| (n.to_string(), v.clone())).collect();
        if schema.param("n_components").is_some() {
            given.push(("n_components".into(), Value::Int(2)));
        }
        let method = registry::method(preset.method, given).unwrap_or_else(|e| panic!("{}: {e}", preset.name));
        assert_eq!(method.contradiction(), None, "{}", preset.name);
        let fitted =
            method.fit_with(&helices.datasets, &pairs, &Progress::silent()).unwrap_or_else(|e| panic!("{}: {e}", preset.name));
        for (name, value) in &preset.given {
            let kept = &fitted.params()[*name];
            let expected = value.to_json();
            let same = match (kept.as_f64(), expected.as_f64()) {
                (Some(a), Some(b)) => a == b,
                _ => *kept == expected,
            };
            assert!(same, "{}: {name} is {kept}, not {expected}", preset.name);
        }
    }
}
