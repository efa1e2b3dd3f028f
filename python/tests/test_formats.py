"""Files that other libraries write, of random small sizes: what `read` makes of them is what these libraries make of them."""

from __future__ import annotations

import gzip
import json
import warnings

import numpy as np
import pytest
import scipy.io
from scipy import sparse

import landbridge as lb

pd = pytest.importorskip("pandas")
pa = pytest.importorskip("pyarrow")
feather = pytest.importorskip("pyarrow.feather")
parquet = pytest.importorskip("pyarrow.parquet")
text = pytest.importorskip("sklearn.feature_extraction.text")

KINDS = ["f4", "f8", "i1", "i4", "i8", "u2", "u4", "?"]


def frame_of(rng, seed):
    """Random columns; every third with names of rows."""
    n, p = int(rng.integers(1, 40)), int(rng.integers(1, 8))
    kinds = ["f4"] * p if seed % 5 == 0 else rng.choice(KINDS, p)
    values = {}
    for j, kind in enumerate(kinds):
        column = rng.normal(size=n) * 10.0 ** rng.integers(-3, 4)
        values[f'c{j} é,"'] = (column if kind.startswith("f") else column.clip(0, 100)).astype(kind)
    # pandas writes a named index after the columns.
    name = [None, "word", "Zelle"][seed % 9 // 3]
    index = pd.Index([f"r{i}é" for i in range(n)], name=name) if seed % 3 == 0 else None
    return pd.DataFrame(values, index=index)


def same_table(table, frame, seed):
    narrow = all(dtype == np.float32 for dtype in frame.dtypes)
    expected = frame.to_numpy(dtype=np.float32 if narrow else np.float64)
    assert table.X.dtype == expected.dtype and np.array_equal(table.X, expected), seed
    assert table.columns == list(frame.columns), seed
    assert table.row_ids == (None if isinstance(frame.index, pd.RangeIndex) else list(frame.index)), seed


def test_parquet_files_of_pandas(tmp_path):
    for seed in range(200):
        rng = np.random.default_rng(seed)
        frame = frame_of(rng, seed)
        path = tmp_path / f"{seed}.parquet"
        packing = [None, "snappy", "gzip", "zstd", "lz4"][seed % 5]
        more = {"row_group_size": int(rng.integers(1, 20)), "use_dictionary": bool(seed % 2)}
        frame.to_parquet(path, compression=packing, data_page_version=["1.0", "2.0"][seed % 2], **more)
        same_table(lb.read(path), frame, seed)


def test_arrow_files_of_pyarrow(tmp_path):
    for seed in range(200):
        rng = np.random.default_rng(seed)
        frame = frame_of(rng, seed)
        path = tmp_path / f"{seed}.arrow"
        packing = ["uncompressed", "lz4", "zstd"][seed % 3]
        feather.write_feather(pa.Table.from_pandas(frame), path, compression=packing, chunksize=int(rng.integers(1, 20)))
        same_table(lb.read(path), frame, seed)


def test_lists_are_features_and_missing_values_are_settled(tmp_path):
    vectors = np.arange(12.0).reshape(4, 3)
    table = pa.table({"word": ["a", "b", "c", "d"], "kind": ["x", "y", "x", "y"], "v": list(vectors)})
    parquet.write_table(table, tmp_path / "v.parquet")
    read = lb.read(tmp_path / "v.parquet", label_column="kind")
    assert (read.X == vectors).all() and read.columns == ["v.0", "v.1", "v.2"]
    assert read.row_ids == ["a", "b", "c", "d"] and read.labels == ["x", "y", "x", "y"]
    read = lb.read(tmp_path / "v.parquet", columns=["v"])
    assert (read.X == vectors).all() and read.row_ids == ["a", "b", "c", "d"] and read.labels is None

    frame = pd.DataFrame({"x": [1.0, None, 4.0], "y": [None, 2.0, 4.0]})
    frame.to_parquet(tmp_path / "m.parquet")
    frame.to_csv(tmp_path / "m.csv", index=False)
    for name in ("m.parquet", "m.csv"):
        for missing, expected in [("zero", frame.fillna(0)), ("mean", frame.fillna(frame.mean())), ("drop", frame.dropna())]:
            assert np.array_equal(lb.read(tmp_path / name, missing=missing).X, expected.to_numpy()), (name, missing)
        with pytest.raises(lb.LandbridgeError, match="missing"):
            lb.read(tmp_path / name)
    with pytest.raises(lb.ParameterError, match='"drop"'):
        lb.read(tmp_path / "m.csv", missing="guess")


def test_csv_files_of_pandas(tmp_path):
    for seed in range(200):
        rng = np.random.default_rng(seed)
        frame = frame_of(rng, seed).astype(np.float64)
        named = not isinstance(frame.index, pd.RangeIndex)
        extension, separator = [(".csv", ","), (".tsv", "\t"), (".csv.gz", ","), (".csv.zst", ",")][seed % 4]
        path = tmp_path / f"{seed}{extension}"
        try:
            frame.to_csv(path, index=named, index_label="id" if named else None, sep=separator)
        except ImportError:  # pandas needs a library for zst
            continue
        same_table(lb.read(path, header=True, id_column="id" if named else False), frame, seed)
    frame.to_csv(tmp_path / "semi.csv", sep=";", index=False)
    assert np.array_equal(lb.read(tmp_path / "semi.csv", delimiter=";", id_column=False).X, frame.to_numpy())
    with pytest.raises(lb.ParameterError, match="one ASCII character"):
        lb.read(tmp_path / "semi.csv", delimiter=";;")


def test_matrices_of_scipy(tmp_path):
    for seed in range(200):
        rng = np.random.default_rng(seed)
        shape = int(rng.integers(1, 40)), int(rng.integers(1, 30))
        X = sparse.random_array(shape, density=rng.random() * 0.5, rng=rng, format=["csr", "csc", "coo"][seed % 3])
        if seed % 4 == 0:
            X.data = np.ceil(X.data * 100)
        path = tmp_path / f"{seed}.mtx"
        field = "integer" if seed % 4 == 0 else "real"
        if seed % 5 == 0:
            scipy.io.mmwrite(path, X.toarray())
            assert np.array_equal(lb.read(path).X, X.toarray()), seed
        else:
            scipy.io.mmwrite(path, X, field=field, precision=17)
            read = lb.read(path).X
            assert sparse.issparse(read) and read.shape == shape and abs(read - X).max() == 0, seed
        if seed % 3 < 2:
            sparse.save_npz(tmp_path / f"{seed}.npz", X, compressed=bool(seed % 2))
            assert abs(lb.read(tmp_path / f"{seed}.npz").X - X).max() == 0, seed


def test_symmetric_matrices_of_scipy(tmp_path):
    for seed in range(60):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(2, 20))
        half = np.tril(rng.normal(size=(n, n)) * (rng.random((n, n)) < 0.4), -1)
        half[1, 0] = 1.5
        X = half - half.T if seed % 2 else half + half.T + np.diag(rng.normal(size=n))
        symmetry = "skew-symmetric" if seed % 2 else "symmetric"
        path = tmp_path / f"{seed}.mtx{['', '.gz'][seed % 4 // 2]}"
        written = tmp_path / "written.mtx"
        scipy.io.mmwrite(written, sparse.coo_array(X) if seed % 3 else X, symmetry=symmetry, precision=17)
        path.write_bytes(gzip.compress(written.read_bytes()) if path.suffix == ".gz" else written.read_bytes())
        read = lb.read(path).X
        assert sparse.issparse(read) == bool(seed % 3), seed
        assert np.array_equal(read.toarray() if sparse.issparse(read) else read, X), seed


def test_arrays_of_numpy(tmp_path):
    kinds = ["<f8", ">f8", "<f4", ">f4", "<f2", "|i1", "<i2", ">i4", "<i8", "|u1", "<u4", "|b1"]
    for seed in range(200):
        rng = np.random.default_rng(seed)
        shape = int(rng.integers(1, 40)), int(rng.integers(1, 12))
        kind = np.dtype(kinds[seed % len(kinds)])
        X = rng.normal(size=shape) * (10.0 ** rng.integers(-3, 4) if kind.kind == "f" else 30)
        X = (X if kind.kind == "f" else np.abs(X)).astype(kind)
        X = np.asfortranarray(X) if seed % 3 == 0 else X
        expected = X.astype(np.float32 if kind.kind == "f" and kind.itemsize < 8 else np.float64)
        np.save(tmp_path / "a.npy", X)
        if seed % 10 == 0:
            (tmp_path / "a.npy.gz").write_bytes(gzip.compress((tmp_path / "a.npy").read_bytes()))
            assert np.array_equal(lb.read(tmp_path / "a.npy.gz").X, expected), seed
        (np.savez_compressed if seed % 2 else np.savez)(tmp_path / "a.npz", X)
        np.savez(tmp_path / "two.npz", first=X, second=X[:, :1])
        for name, options in [("a.npy", {}), ("a.npz", {}), ("two.npz", {"key": "first"})]:
            read = lb.read(tmp_path / name, **options).X
            assert read.dtype == expected.dtype and np.array_equal(read, expected), (seed, name)


def documents(rng, n):
    words = np.array(["cat", "Dog", "été", "Straße", "naïve", "x", "ab", "the", "of", "price_2", "42", "don't", "Ωμέγα"])
    law = rng.dirichlet(np.full(len(words), 0.5))
    return [" ".join(rng.choice(words, int(rng.integers(0, 12)), p=law)) + rng.choice([".", "!", ""]) for _ in range(n)]


def shuffled(rng, fields):
    items = list(fields.items())
    return dict(items[i] for i in rng.permutation(len(items)))


def test_bags_of_words_of_scikit_learn(tmp_path):
    done = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        lines = documents(rng, int(rng.integers(1, 30)))
        options = {"min_df": int(rng.integers(1, 4))}
        kind = text.TfidfVectorizer if seed % 2 else text.CountVectorizer
        if seed % 3 == 0:
            least = int(rng.integers(1, 4))
            ngrams = (least, least + int(rng.integers(0, 3)))
            # The words of the pieces are ours on both sides: scikit-learn cuts them at white space only.
            cut = text.CountVectorizer(token_pattern=r"\b\w+\b").build_tokenizer()
            lines = [" ".join(cut(line)) for line in lines]
            theirs = kind(analyzer="char_wb", ngram_range=ngrams, **options)
            options["char_ngrams"] = ngrams
        else:
            theirs = kind(**options)
        options["weighting"] = "tfidf" if seed % 2 else "counts"
        path = tmp_path / f"{seed}.txt"
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        try:
            expected = theirs.fit_transform(lines)
        except ValueError:  # no word is left
            with pytest.raises(lb.LandbridgeError):
                lb.read(path, **options)
            continue
        table = lb.read(path, **options)
        names = theirs.get_feature_names_out()
        assert sorted(table.columns) == sorted(names), seed
        order = [table.columns.index(name) for name in names]
        np.testing.assert_allclose(table.X.toarray()[:, order], expected.toarray(), rtol=1e-12, atol=0, err_msg=str(seed))
        # The same documents in json, among fields that are nobody's business, in every order and spelling.
        field = str(rng.choice(["text", "body", "été", 'a "b"']))
        others = [{}, {"n": 1e300, "text2": None}, {"deep": {"text": ["x"], "body": {}}, "ü": "\u2028"}]
        rows = [shuffled(rng, {**others[i % 3], field: line}) for i, line in enumerate(lines)]
        packed = tmp_path / f"{seed}.jsonl"
        packed.write_text("".join(json.dumps(row, ensure_ascii=bool(i % 2)) + "\n" for i, row in enumerate(rows)), encoding="utf-8")
        other = lb.read(packed, text_field=field, **options)
        assert other.columns == table.columns and abs(other.X - table.X).max() == 0, seed
        done += 1
    assert done > 150


def test_text_is_read_from_jsonl_and_folders_with_the_same_words(tmp_path):
    lines = [line or "nothing" for line in documents(np.random.default_rng(1), 20)]
    (tmp_path / "d.txt").write_text("\n".join(lines), encoding="utf-8")
    rows = [{"id": f"d{i}", "body": line, "kind": "ab"[i % 2]} for i, line in enumerate(lines)]
    with gzip.open(tmp_path / "d.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "folder").mkdir()
    for i, line in enumerate(lines):
        (tmp_path / "folder" / f"{i:02}.txt").write_text(line, encoding="utf-8")
    plain = lb.read(tmp_path / "d.txt")
    other = lb.read(tmp_path / "d.jsonl.gz", text_field="body", label_column="kind")
    folder = lb.read(tmp_path / "folder")
    assert other.row_ids[:2] == ["d0", "d1"] and other.labels[:2] == ["a", "b"] and len(folder.row_ids) == 20
    for table in (other, folder):
        assert table.columns == plain.columns and abs(table.X - plain.X).max() == 0
    for options in [{"stop_words": "xx"}, {"min_df": 0}, {"max_features": -1}, {"weighting": "much"}, {"char_ngrams": (3, 2)}]:
        with pytest.raises(lb.ParameterError):
            lb.read(tmp_path / "d.txt", **options)
    with pytest.raises(lb.ParameterError, match="no meaning"):
        lb.read(tmp_path / "d.txt", chain="A")


def test_new_text_follows_the_fitted_text(tmp_path):
    rng = np.random.default_rng(3)
    topics = rng.integers(0, 12, (60, 6))
    for name, word in [("en", "word"), ("it", "parola")]:
        lines = [" ".join(f"{word}{t}" for t in topic) for topic in topics]
        (tmp_path / f"{name}.txt").write_text("\n".join(lines), encoding="utf-8")
    pairs = np.column_stack([np.arange(40)] * 2)
    en, it = (lb.read(tmp_path / f"{name}.txt") for name in ("en", "it"))
    alignment = lb.InstanceAlignment(3, n_neighbors=5, metric="cosine").fit({"en": en, "it": it, "n": topics}, pairs_of(pairs))
    # The very documents are the very rows, whatever else is in the file.
    (tmp_path / "new.txt").write_text("word3 unknown word3 word4\n" + (tmp_path / "en.txt").read_text(), encoding="utf-8")
    for fitted in (alignment, saved(alignment, tmp_path / "m.lb")):
        new = lb.read(tmp_path / "new.txt", like=(fitted, "en"))
        assert new.columns == en.columns and new.X[[0]].nnz == 2
        np.testing.assert_allclose(new.X[1:].toarray(), en.X.toarray(), rtol=1e-12)
        np.testing.assert_allclose(np.linalg.norm(new.X.toarray(), axis=1), 1)
        assert fitted.transform(new, "en").shape == (61, 3)
        # The same words, weighed by how often they are in the new file.
        with pytest.raises(lb.DataError, match=r"weights of its own(.|\n)*like=\(a, 'en'\)"):
            fitted.transform(lb.read(tmp_path / "en.txt", max_features=11), "en")
        (tmp_path / "strange.txt").write_text("unheard of\nword3\n", encoding="utf-8")
        with pytest.warns(lb.AlignmentWarning, match="^1 of 2 documents has no word that the model knows") as caught:
            assert lb.read(tmp_path / "strange.txt", like=(fitted, "en")).X.nnz == 1
        assert caught[0].filename == __file__
    with pytest.raises(lb.ParameterError, match="min_df has no meaning"):
        lb.read(tmp_path / "new.txt", like=(alignment, "en"), min_df=2)
    with pytest.raises(lb.DataError, match="not fitted from text"):
        lb.read(tmp_path / "new.txt", like=(alignment, "n"))
    for like in (alignment, (1, 2), "en"):
        with pytest.raises(lb.ParameterError, match="fitted alignment"):
            lb.read(tmp_path / "new.txt", like=like)
    with pytest.raises(lb.NotFittedError):
        lb.read(tmp_path / "new.txt", like=(lb.InstanceAlignment(2), "en"))


def test_text_of_another_language_is_told(tmp_path):
    rng = np.random.default_rng(4)
    topics = rng.integers(0, 30, (80, 12))
    for name, word in [("de", "wort"), ("es", "palabra")]:
        lines = [" ".join(f"{word}{t}" for t in topic) for topic in topics]
        (tmp_path / f"{name}.txt").write_text("\n".join(lines), encoding="utf-8")
    de, es = (lb.read(tmp_path / f"{name}.txt") for name in ("de", "es"))
    a = lb.CCA(3).fit({"de": de, "es": es}, np.column_stack([np.arange(60)] * 2))
    mixed = [line + " wort1" for line in (tmp_path / "es.txt").read_text().splitlines()]
    (tmp_path / "mixed.txt").write_text("\n".join(mixed), encoding="utf-8")
    for fitted in (a, saved(a, tmp_path / "m.lb")):
        with pytest.warns(lb.AlignmentWarning, match="^the model knows 8 % of the words of the new text") as caught:
            lb.read(tmp_path / "mixed.txt", like=(fitted, "de"))
        assert "another language" in str(caught[0].message) and caught[0].filename == __file__
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            lb.read(tmp_path / "de.txt", like=(fitted, "de"))
            lb.read(tmp_path / "mixed.txt", like=(fitted, "es"))


def pairs_of(pairs):
    """The first rows of all three datasets are the same."""
    return np.column_stack([pairs, pairs[:, :1]])


def saved(alignment, path):
    alignment.save(path)
    return lb.load(path)


def test_models_are_packed_as_their_name_says(tmp_path):
    rolls = lb.datasets.swiss_rolls(60)
    a = lb.InstanceAlignment(2, n_neighbors=5).fit(rolls.datasets, rolls.pairs(10))
    bytes_of = {}
    for name in ("m.lb", "m.lb.gz", "m.lb.zst"):
        assert saved(a, tmp_path / name)._model.to_bytes() == a._model.to_bytes(), name
        bytes_of[name] = (tmp_path / name).read_bytes()
    assert gzip.decompress(bytes_of["m.lb.gz"]) == bytes_of["m.lb"] == a._model.to_bytes()
    assert bytes_of["m.lb.zst"][:4] == b"\x28\xb5\x2f\xfd"
    embedding = lb.PCA(2).fit(rolls.datasets[0])
    embedding.save(tmp_path / "e.lb.gz")
    assert (lb.load_embedding(tmp_path / "e.lb.gz").embedding_ == embedding.embedding_).all()
    for name, content in bytes_of.items():
        (tmp_path / f"cut-{name}").write_bytes(content[:-20])
        with pytest.raises(lb.ModelError, match="the file is cut off"):
            lb.load(tmp_path / f"cut-{name}")
    (tmp_path / "false.lb.gz").write_bytes(bytes_of["m.lb"])
    with pytest.raises(lb.ModelError, match="the file is not gzip"):
        lb.load(tmp_path / "false.lb.gz")
    with pytest.raises(lb.FileError):
        lb.load(tmp_path / "none.lb")
    # Whole or not at all: a folder that is not there, and what was there before stays.
    with pytest.raises(lb.FileError):
        a.save(tmp_path / "nowhere" / "m.lb.gz")
    assert (tmp_path / "m.lb.gz").read_bytes() == bytes_of["m.lb.gz"]


def test_ratings_by_numbers_that_are_read_as_features_are_told(tmp_path):
    (tmp_path / "r.csv").write_text("user_id,movie_id,rating\n1,10,3\n2,11,4\n3,12,5\n")
    with pytest.warns(lb.AlignmentWarning, match="taken as 3 features; .*ratings=True"):
        lb.read(tmp_path / "r.csv")


def test_ratings_become_sparse_rows(tmp_path):
    for seed in range(60):
        rng = np.random.default_rng(seed)
        users, items, count = int(rng.integers(1, 12)), int(rng.integers(1, 15)), int(rng.integers(1, 60))
        places = rng.permutation(users * items)[:count]
        table = pd.DataFrame({"user": places // items, "item": places % items, "rating": rng.integers(0, 11, len(places)) / 2})
        table["user"], table["item"] = "u" + table["user"].astype(str), "i" + table["item"].astype(str)
        table["time"] = 0
        table.to_csv(tmp_path / "r.csv", index=False)
        read = lb.read(tmp_path / "r.csv", ratings=True)
        expected = table.pivot(index="user", columns="item", values="rating").loc[read.row_ids, read.columns]
        assert read.row_ids == list(table["user"].unique()) and read.columns == list(table["item"].unique()), seed
        # A zero is a known value; what is not there is not known.
        assert read.X.nnz == len(table) and np.array_equal(read.X.toarray(), expected.fillna(0).to_numpy()), seed


def test_structures_are_coordinates(tmp_path):
    for seed in range(60):
        rng = np.random.default_rng(seed)
        residues = int(rng.integers(1, 20))
        models = {m: rng.normal(size=(2, residues, 2, 3)).round(3) * 10 for m in (1, 2)}
        pdb, cif, number = [], ["data_x", "loop_"], 0
        fields = "group_PDB id type_symbol label_atom_id label_comp_id auth_asym_id auth_seq_id Cartn_x Cartn_y Cartn_z"
        cif += [f"_atom_site.{field}" for field in [*fields.split(), "pdbx_PDB_model_num"]]
        for m, places in models.items():
            pdb.append(f"MODEL     {m:4}")
            for chain, of_chain in zip("AB", places):
                for r, residue in enumerate(of_chain):
                    for name, (x, y, z) in zip(("N", "CA"), residue):
                        number += 1
                        place = f"{x:8.3f}{y:8.3f}{z:8.3f}  1.00  0.00           {name[0]}"
                        pdb.append(f"ATOM  {number:5}  {name:<2}  GLY {chain}{r + 1:4}    {place}")
                        cif.append(f"ATOM {number} {name[0]} {name} GLY {chain} {r + 1} {x:.3f} {y:.3f} {z:.3f} {m}")
            pdb.append("ENDMDL")
        (tmp_path / "p.pdb").write_text("\n".join(pdb) + "\n")
        (tmp_path / "p.cif").write_text("\n".join(cif) + "\n#\n")
        for name in ("p.pdb", "p.cif"):
            table = lb.read(tmp_path / name)
            np.testing.assert_allclose(table.X, models[1][:, :, 1].reshape(-1, 3), atol=1e-9)
            assert table.columns == ["x", "y", "z"] and table.row_ids[0] == "A:1" and len(table) == 2 * residues
            every = lb.read(tmp_path / name, model=2, chain="B", atoms="all")
            np.testing.assert_allclose(every.X, models[2][1].reshape(-1, 3), atol=1e-9)
            assert every.row_ids[:2] == ["B:1:N", "B:1:CA"]
    with pytest.raises(lb.LandbridgeError, match="chain"):
        lb.read(tmp_path / "p.pdb", chain="Z")
    with pytest.raises(lb.ParameterError, match='"all"'):
        lb.read(tmp_path / "p.pdb", atoms="some")


def test_structures_of_biotite(tmp_path):
    struc = pytest.importorskip("biotite.structure")
    pdb, pdbx = pytest.importorskip("biotite.structure.io.pdb"), pytest.importorskip("biotite.structure.io.pdbx")
    for seed in range(200):
        rng = np.random.default_rng(seed)
        models, residues = int(rng.integers(1, 3)), int(rng.integers(1, 6))
        names = np.tile(["N", "CA", "C", "O"], residues)
        n = len(names)
        atoms = struc.AtomArrayStack(models, n)
        atoms.coord = (rng.normal(size=(models, n, 3)) * 30).round(3).astype(np.float32)
        atoms.atom_name, atoms.element = names, np.array([name[0] for name in names])
        atoms.res_name = np.repeat(rng.choice(["GLY", "ALA", "TRP"], residues), 4)
        atoms.chain_id = np.repeat(np.sort(rng.choice(["A", "B", "C"], residues)), 4)
        atoms.res_id = np.repeat(np.arange(residues) + int(rng.integers(-3, 300)), 4)
        old, new = pdb.PDBFile(), pdbx.CIFFile()
        old.set_structure(atoms)
        pdbx.set_structure(new, atoms, data_block="x")
        old.write(tmp_path / "s.pdb")
        new.write(tmp_path / "s.cif")
        for name, read in [("s.pdb", pdb.PDBFile.read(tmp_path / "s.pdb")), ("s.cif", pdbx.CIFFile.read(tmp_path / "s.cif"))]:
            model = int(rng.integers(1, models + 1))
            get = pdb.get_structure if name == "s.pdb" else pdbx.get_structure
            theirs = get(read, model=model)
            ca = theirs[theirs.atom_name == "CA"]
            # Both read the decimals of the file; biotite keeps them in single precision.
            table = lb.read(tmp_path / name, model=model)
            assert np.array_equal(table.X.astype(np.float32), ca.coord), (seed, name)
            assert table.row_ids == [f"{chain}:{residue}" for chain, residue in zip(ca.chain_id, ca.res_id)], (seed, name)
            chain = str(rng.choice(theirs.chain_id))
            table = lb.read(tmp_path / name, model=model, atoms="all", chain=chain)
            assert np.array_equal(table.X.astype(np.float32), theirs.coord[theirs.chain_id == chain]), (seed, name)
