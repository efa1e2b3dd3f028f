"""Makes the small files of tests/foreign_columns.rs. Needs pandas, pyarrow and scikit-learn."""

import json
import os
import random

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
from sklearn.feature_extraction.text import TfidfVectorizer

os.chdir(os.path.dirname(os.path.abspath(__file__)))

# ---- columns: every kind of number, names with commas and Unicode, an index, categories, packings -------------------
frame = pd.DataFrame(
    {"x, y": [0.5, -1.5, 2.25], "Größe": [1, -2, 3], "flag": [True, False, True]}, index=pd.Index(["a", "b,c", "ü"])
)
frame["kind"] = pd.Categorical(["t", "b", "t"])
for packing in ["snappy", "gzip", "zstd", "lz4", "none"]:
    frame.to_parquet(f"pandas-{packing}.parquet", compression=None if packing == "none" else packing)
table = pa.Table.from_pandas(frame)
pq.write_table(table, "pages-v2.parquet", data_page_version="2.0", row_group_size=2, use_dictionary=False)
for packing in ["lz4", "zstd", "uncompressed"]:
    pyarrow.feather.write_feather(frame.reset_index(names="id"), f"pandas-{packing}.feather", compression=packing)
with pa.ipc.new_stream("stream.arrows", table.schema) as writer:
    for batch in table.to_batches(max_chunksize=2):
        writer.write_batch(batch)
vectors = np.arange(6, dtype=np.float32).reshape(3, 2) / 4
embedding = pa.table({"id": ["a", "b", "c"], "v": list(vectors)})
pq.write_table(embedding, "embedding.parquet")
fixed = pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), 2)
pyarrow.feather.write_feather(pa.table({"id": ["a", "b", "c"], "v": fixed}), "embedding.feather")
pd.DataFrame({"x": [1.0, None], "y": [1, 2]}).to_parquet("missing.parquet")

# ---- text: what scikit-learn makes of the same lines -----------------------------------------------------------------
words = "the cat saw a Dog in été Größe Σοφία мир 2nd_one x y of and to café naïve the the".split()
random.seed(0)
lines = [" ".join(random.choices(words, k=random.randrange(0, 15))) for _ in range(60)]
lines = [line.replace(" saw ", ", saw! ").replace(" in ", " -- in; ") for line in lines]
with open("lines.txt", "w", encoding="utf-8") as file:
    file.write("".join(line + "\n" for line in lines))
cases = {
    "tfidf": TfidfVectorizer(),
    "min_df": TfidfVectorizer(min_df=20),
    "counts": TfidfVectorizer(use_idf=False, norm=None),
}
expected = {}
for name, vectorizer in cases.items():
    X = vectorizer.fit_transform(lines).tocsr()
    X.sort_indices()
    expected[name] = {
        "words": vectorizer.get_feature_names_out().tolist(),
        "indptr": X.indptr.tolist(),
        "indices": X.indices.tolist(),
        "values": X.data.tolist(),
    }
plain = [" ".join(w for w in line.split() if w.isalpha()) for line in lines]
with open("plain.txt", "w", encoding="utf-8") as file:
    file.write("".join(line + "\n" for line in plain))
ngrams = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4), use_idf=False, norm=None)
X = ngrams.fit_transform(plain).tocsr()
X.sort_indices()
expected["char_ngrams"] = {
    "words": ngrams.get_feature_names_out().tolist(),
    "indptr": X.indptr.tolist(),
    "indices": X.indices.tolist(),
    "values": X.data.tolist(),
}
with open("text.json", "w", encoding="utf-8") as file:
    json.dump(expected, file, ensure_ascii=False)
