//! The list of what is inside the program, or inside the Python module (software bill of materials): CycloneDX 1.5 in JSON.
//!
//! `cargo tree` tells which packages are compiled for a platform, their licences and who needs whom; Cargo.lock has their checksums. The
//! same sources give the same bytes: there is no time and no random number in it.

use crate::{Outcome, cargo, declared, printed, root, target};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// What is given out.
#[derive(Clone, Copy)]
enum Given {
    Program,
    Wheel,
}

impl Given {
    /// The package that it is built from.
    fn package(self) -> &'static str {
        match self {
            Given::Program => "landbridge-cli",
            Given::Wheel => "landbridge-py",
        }
    }
    /// What CycloneDX calls it.
    fn kind(self) -> &'static str {
        match self {
            Given::Program => "application",
            Given::Wheel => "library",
        }
    }
}

/// A package that is compiled into the program, or that its building runs.
#[derive(Clone, Debug, Default, PartialEq)]
struct Package {
    name: String,
    version: String,
    licence: String,
    repository: String,
    checksum: Option<String>,
    /// References of the packages that it needs.
    needs: Vec<String>,
}

impl Package {
    /// What the list calls it: a package URL. Our own crates carry it too, they are published under these names.
    fn reference(&self) -> String {
        format!("pkg:cargo/{}@{}", self.name, self.version)
    }
}

/// Writes the list of the program for a platform to a file, by default `target/dist/landbridge-VERSION-TRIPLE.cdx.json`; with
/// `--wheel` the list of the Python module, to `target/dist/landbridge.cdx.json`.
pub(crate) fn sbom(args: &[String]) -> Outcome {
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let (given, triple) = match words[..] {
        [] => (Given::Program, crate::release::host()?),
        ["--target", triple] => (Given::Program, triple.to_string()),
        ["--wheel"] => return wheel().map(|_| ()),
        ["--wheel", "--target", triple] => (Given::Wheel, triple.to_string()),
        _ => return Err("sbom takes --wheel and --target TRIPLE, or nothing".into()),
    };
    let name = match given {
        Given::Program => format!("landbridge-{}-{triple}.cdx.json", declared("version")?),
        Given::Wheel => "landbridge.cdx.json".into(),
    };
    write_in_dist(given, &triple, &name).map(|_| ())
}

/// Writes the list of the Python module for this machine, and returns its path.
pub(crate) fn wheel() -> Result<PathBuf, String> {
    write_in_dist(Given::Wheel, &crate::release::host()?, "landbridge.cdx.json")
}

fn write_in_dist(given: Given, triple: &str, name: &str) -> Result<PathBuf, String> {
    let folder = target()?.join("dist");
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let path = folder.join(name);
    write_list(given, triple, &path)?;
    eprintln!("xtask: {}", path.display());
    Ok(path)
}

/// Writes the list of the program for a platform.
pub(crate) fn write(triple: &str, path: &Path) -> Outcome {
    write_list(Given::Program, triple, path)
}

fn write_list(given: Given, triple: &str, path: &Path) -> Outcome {
    let text = document(&packages(given, triple)?, given)?;
    std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}

/// The packages that something is made of on a platform, by reference.
fn packages(given: Given, triple: &str) -> Result<BTreeMap<String, Package>, String> {
    let tree = ["tree", "--locked", "--package", given.package(), "--edges", "normal,build", "--target", triple];
    let told = printed(cargo(), &[&tree[..], &["--prefix", "depth", "--format", "\t{p}\t{l}\t{r}"]].concat())?;
    let lock = std::fs::read_to_string(root().join("Cargo.lock")).map_err(|e| format!("Cargo.lock: {e}"))?;
    parse(&told, &checksums(&lock))
}

/// The lines of `cargo tree` with depths: a package needs those that stand one deeper behind it.
fn parse(told: &str, checksums: &BTreeMap<(String, String), String>) -> Result<BTreeMap<String, Package>, String> {
    let mut found: BTreeMap<String, Package> = BTreeMap::new();
    let mut above: Vec<String> = vec![];
    for line in told.lines().filter(|line| !line.is_empty()) {
        let odd = || format!("cargo tree: {line:?} is not a package");
        let fields: Vec<&str> = line.split('\t').collect();
        let &[depth, package, licence, repository] = &fields[..] else { return Err(odd()) };
        let depth: usize = depth.parse().map_err(|_| odd())?;
        let mut words = package.split_whitespace();
        let (Some(name), Some(version)) = (words.next(), words.next().and_then(|v| v.strip_prefix('v'))) else {
            return Err(odd());
        };
        let (name, version) = (name.to_string(), version.to_string());
        let package = Package {
            checksum: checksums.get(&(name.clone(), version.clone())).cloned(),
            name,
            version,
            licence: expression(licence.trim_end_matches(" (*)")),
            // A package that stood above has `(*)` at the end of its line.
            repository: repository.trim_end_matches(" (*)").trim_end_matches("(*)").to_string(),
            needs: vec![],
        };
        let own = package.reference();
        above.truncate(depth);
        if let Some(parent) = above.last().and_then(|parent| found.get_mut(parent))
            && !parent.needs.contains(&own)
        {
            parent.needs.push(own.clone());
        }
        found.entry(own.clone()).or_insert(package);
        above.push(own);
    }
    found.values_mut().for_each(|package| package.needs.sort());
    Ok(found)
}

/// The SHA-256 of every package of the registry, by name and version.
fn checksums(lock: &str) -> BTreeMap<(String, String), String> {
    let value = |block: &str, key: &str| {
        let line = block.lines().find_map(|l| l.strip_prefix(key)?.strip_prefix(" = "))?;
        Some(line.trim_matches('"').to_string())
    };
    let blocks = lock.split("[[package]]").skip(1);
    blocks.filter_map(|block| Some(((value(block, "name")?, value(block, "version")?), value(block, "checksum")?))).collect()
}

/// A licence as SPDX writes it: older manifests have a slash for "or".
fn expression(licence: &str) -> String {
    licence.split('/').map(str::trim).collect::<Vec<_>>().join(" OR ")
}

/// The document.
fn document(packages: &BTreeMap<String, Package>, given: Given) -> Result<String, String> {
    let named = |p: &Package| p.name == given.package();
    let whole = packages.values().find(|p| named(p)).ok_or_else(|| format!("cargo tree does not name {}", given.package()))?;
    let mut out = String::from("{\n  \"bomFormat\": \"CycloneDX\",\n  \"specVersion\": \"1.5\",\n  \"version\": 1,\n");
    let _ = writeln!(out, "  \"metadata\": {{\n    \"component\": {}\n  }},", component(whole, given.kind()));
    let others = packages.values().filter(|p| !named(p));
    let components: Vec<String> = others.map(|p| format!("    {}", component(p, "library"))).collect();
    let _ = writeln!(out, "  \"components\": [\n{}\n  ],", components.join(",\n"));
    let needs = |p: &Package| {
        let list: Vec<String> = p.needs.iter().map(|n| quoted(n)).collect();
        format!("    {{\"ref\": {}, \"dependsOn\": [{}]}}", quoted(&p.reference()), list.join(", "))
    };
    let _ = writeln!(out, "  \"dependencies\": [\n{}\n  ]\n}}", packages.values().map(needs).collect::<Vec<_>>().join(",\n"));
    Ok(out)
}

fn component(package: &Package, kind: &str) -> String {
    let own = quoted(&package.reference());
    let mut out = format!(
        "{{\"type\": \"{kind}\", \"bom-ref\": {own}, \"name\": {}, \"version\": {}, \"purl\": {own}",
        quoted(&package.name),
        quoted(&package.version)
    );
    if !package.licence.is_empty() {
        let _ = write!(out, ", \"licenses\": [{{\"expression\": {}}}]", quoted(&package.licence));
    }
    if let Some(checksum) = &package.checksum {
        let _ = write!(out, ", \"hashes\": [{{\"alg\": \"SHA-256\", \"content\": {}}}]", quoted(checksum));
    }
    if !package.repository.is_empty() {
        let _ = write!(out, ", \"externalReferences\": [{{\"type\": \"vcs\", \"url\": {}}}]", quoted(&package.repository));
    }
    out + "}"
}

/// A string of JSON.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out + "\""
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use std::collections::BTreeSet;

    #[test]
    fn the_tree_gives_packages_and_who_needs_whom() {
        let told = "0\tlandbridge-cli v0.1.0 (/a/b)\tMIT OR Apache-2.0\t\n1\tone v1.2.3\tMIT/Apache-2.0\thttps://a.b/c\n\
                    2\ttwo v0.1.0 (proc-macro)\tZlib\t\n1\ttwo v0.1.0 (proc-macro)\tZlib\t (*)\n";
        let sums = checksums("version = 4\n\n[[package]]\nname = \"one\"\nversion = \"1.2.3\"\nchecksum = \"ab\"\n");
        let found = parse(told, &sums).unwrap();
        assert_eq!(found.len(), 3);
        let one = &found["pkg:cargo/one@1.2.3"];
        assert_eq!(
            (&*one.licence, one.checksum.as_deref(), &*one.repository),
            ("MIT OR Apache-2.0", Some("ab"), "https://a.b/c")
        );
        assert_eq!(one.needs, ["pkg:cargo/two@0.1.0"]);
        assert_eq!(found["pkg:cargo/landbridge-cli@0.1.0"].needs, ["pkg:cargo/one@1.2.3", "pkg:cargo/two@0.1.0"]);
        assert!(parse("0\tx\n", &sums).is_err() && parse("x\ta v1\tb\tc\n", &sums).is_err());
    }

    /// The fields that CycloneDX 1.5 requires are there, references lead somewhere, and what comes from elsewhere has a checksum.
    #[test]
    fn the_lists_of_the_program_and_of_the_wheel_are_whole() {
        is_whole(Given::Program);
        is_whole(Given::Wheel);
    }

    fn is_whole(given: Given) {
        let triple = "x86_64-unknown-linux-gnu";
        let text = document(&packages(given, triple).unwrap(), given).unwrap();
        assert_eq!(text, document(&packages(given, triple).unwrap(), given).unwrap(), "the same sources, another list");
        assert!(!text.contains(&*root().to_string_lossy()), "the list names the folder of the clone");
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(
            (&value["bomFormat"], &value["specVersion"], &value["version"]),
            (&"CycloneDX".into(), &"1.5".into(), &1.into())
        );
        let program = &value["metadata"]["component"];
        assert_eq!((&program["type"], &program["name"]), (&given.kind().into(), &given.package().into()));
        let components = value["components"].as_array().unwrap();
        assert!(components.len() > 100, "{} components", components.len());
        let mut known = BTreeSet::from([program["bom-ref"].as_str().unwrap()]);
        for part in components {
            for key in ["type", "name", "version", "bom-ref", "purl"] {
                assert!(part[key].as_str().is_some_and(|text| !text.is_empty()), "{key} of {part}");
            }
            assert!(known.insert(part["bom-ref"].as_str().unwrap()), "{part} twice");
            let licence = part["licenses"][0]["expression"].as_str().unwrap_or_else(|| panic!("no licence: {part}"));
            assert!(!licence.contains('/') && !licence.contains("(*)"), "{part}");
            let ours = part["name"].as_str().unwrap().starts_with("landbridge");
            let hash = part["hashes"][0]["content"].as_str().unwrap_or_default();
            assert!(ours || (hash.len() == 64 && hash.bytes().all(|b| b.is_ascii_hexdigit())), "{part}");
        }
        let listed = value["dependencies"].as_array().unwrap();
        assert_eq!(listed.len(), known.len());
        for entry in listed {
            assert!(known.contains(entry["ref"].as_str().unwrap()), "{entry}");
            for needed in entry["dependsOn"].as_array().unwrap() {
                assert!(known.contains(needed.as_str().unwrap()), "{needed} of {entry}");
            }
        }
        assert!(!listed.iter().find(|e| e["ref"] == program["bom-ref"]).unwrap()["dependsOn"].as_array().unwrap().is_empty());
    }

    /// The names of `[workspace.dependencies]` that are not ours, each with the line before it.
    fn direct() -> Vec<(String, bool)> {
        let text = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
        let table = text.split("[workspace.dependencies]\n").nth(1).unwrap().split("\n[").next().unwrap().to_string();
        let (mut out, mut reason) = (vec![], false);
        for line in table.lines() {
            // A reason stands above a group of lines; an empty line ends the group.
            reason = line.starts_with('#') || (reason && !line.is_empty());
            if let Some((name, rest)) = line.split_once(" = ")
                && !line.starts_with('#')
                && !rest.contains("path = \"crates/")
            {
                out.push((name.to_string(), reason));
            }
        }
        out
    }

    #[test]
    fn every_direct_dependency_has_a_reason() {
        let direct = direct();
        assert!(direct.len() > 30, "{direct:?}");
        for (name, reason) in &direct {
            assert!(reason, "{name}: say above it in Cargo.toml why it is there");
        }
        // Crates take versions from the one table.
        for entry in std::fs::read_dir(root().join("crates")).unwrap() {
            let manifest = entry.unwrap().path().join("Cargo.toml");
            let text = std::fs::read_to_string(&manifest).unwrap();
            let mut inside = false;
            for line in text.lines() {
                if line.starts_with('[') {
                    inside = line.contains("dependencies]");
                } else if inside && line.contains('=') && !line.starts_with('#') {
                    assert!(
                        line.contains("workspace"),
                        "{}: {line}: versions stand in the root's Cargo.toml",
                        manifest.display()
                    );
                }
            }
        }
    }

    /// The page has a line for every direct dependency and no other, and tells how many packages there are.
    #[test]
    fn the_page_of_dependencies_is_up_to_date() {
        let page = std::fs::read_to_string(root().join("docs/project/dependencies.md")).unwrap();
        let named = |line: &str| -> Vec<String> {
            let first = line.strip_prefix("| ").and_then(|l| l.split('|').next()).unwrap_or_default();
            first.split('`').skip(1).step_by(2).map(String::from).collect()
        };
        let on_page: BTreeSet<String> = page.lines().flat_map(named).collect();
        let declared: BTreeSet<String> = direct().into_iter().map(|(name, _)| name).collect();
        assert_eq!(on_page, declared, "docs/project/dependencies.md and Cargo.toml");
        let lock = std::fs::read_to_string(root().join("Cargo.lock")).unwrap();
        let (all, ours) = (lock.matches("[[package]]").count(), lock.matches("\nname = \"landbridge").count() + 1);
        let sentence = format!("Cargo.lock has {} packages beside ours", all - ours);
        assert!(page.contains(&sentence), "docs/project/dependencies.md does not say: {sentence}");
        let count = packages(Given::Program, "x86_64-unknown-linux-gnu")
            .unwrap()
            .values()
            .filter(|p| !p.name.starts_with("landbridge"))
            .count();
        let sentence = format!("{count} of them are compiled or run for the program on Linux");
        assert!(page.contains(&sentence), "docs/project/dependencies.md does not say: {sentence}");
    }
}
