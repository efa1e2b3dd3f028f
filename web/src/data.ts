// The data of the page: parts of base64 text, unpacked when they are first needed.

export interface Scale {
  low: number;
  high: number;
  part: string;
}
export interface Axis extends Scale {
  name?: string;
}
export interface ViewAbout {
  key: string;
  name: string;
  square: boolean;
  about: string;
  axes: Axis[];
  density?: { part: string; side: number; axes: [number, number] };
}
export interface NumbersAbout {
  low: number;
  high: number;
  /** None: the distances of the partners. */
  part: string | null;
  name: string;
  about: string;
  group: string;
}
export interface WordsAbout {
  name: string;
  part: string;
  names: string;
  count: number;
  others: number;
}
export interface PartnersAbout {
  from: number;
  to: number;
  k: number;
  part: string;
  distance: { low: number; high: number; part: string | null };
}
export interface FeaturesAbout {
  k: number;
  names: string;
  columns: string;
  values: Scale;
  about: string;
}
export interface Links {
  total: number;
  shown: number;
  part: string | null;
}
export interface Manifest {
  format: number;
  version: string;
  title: string;
  method: string;
  n_components: number;
  datasets: { name: string; rows: number; features: number; shown: number }[];
  sampled: boolean;
  views: ViewAbout[];
  before: ([Scale, Scale] | null)[];
  pairs: Links;
  truth: Links;
  words: WordsAbout[];
  numbers: NumbersAbout[];
  partners: PartnersAbout[];
  ids: (string | null)[];
  texts: (string | null)[];
  features: (FeaturesAbout | null)[];
  verdict: { level: string; sentence: string; why: string[] };
  diagnosis: any;
  notes: string[];
}

const MISSING = 65535;
const NONE = 0xffffffff;

function bytesOf(text: string): Uint8Array {
  const decode = (Uint8Array as any).fromBase64 as ((text: string) => Uint8Array) | undefined;
  if (decode) return decode.call(Uint8Array, text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

const unpacked = new Map<string, Promise<Uint8Array>>();

/** The bytes of a part. Its text leaves the page, so that the data are in memory once. */
export function part(name: string): Promise<Uint8Array> {
  let found = unpacked.get(name);
  if (!found) {
    found = (async () => {
      const element = document.getElementById(`part-${name}`);
      if (!element) throw new Error(`the page has no part "${name}"`);
      const bytes = bytesOf(element.textContent ?? "");
      element.remove();
      const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream("deflate"));
      return new Uint8Array(await new Response(stream).arrayBuffer());
    })();
    unpacked.set(name, found);
  }
  return found;
}

async function json<T>(name: string): Promise<T> {
  return JSON.parse(new TextDecoder().decode(await part(name))) as T;
}

/** High bytes first, low bytes behind them. */
async function twoBytes(name: string): Promise<Uint16Array> {
  const bytes = await part(name);
  const n = bytes.length / 2;
  const out = new Uint16Array(n);
  for (let i = 0; i < n; i++) out[i] = (bytes[i] << 8) | bytes[n + i];
  return out;
}

async function fourBytes(name: string): Promise<Uint32Array> {
  const bytes = await part(name);
  const n = bytes.length / 4;
  const out = new Uint32Array(n);
  for (let i = 0; i < n; i++) out[i] = ((bytes[i] << 24) | (bytes[n + i] << 16) | (bytes[2 * n + i] << 8) | bytes[3 * n + i]) >>> 0;
  return out;
}

/** Values between the extremes of a scale; NaN where missing. */
async function values(scale: Scale): Promise<Float32Array> {
  const codes = await twoBytes(scale.part);
  const out = new Float32Array(codes.length);
  const step = (scale.high - scale.low) / (MISSING - 1);
  for (let i = 0; i < out.length; i++) out[i] = codes[i] === MISSING ? NaN : scale.low + codes[i] * step;
  return out;
}

const kept = new Map<string, Promise<any>>();
function once<T>(key: string, make: () => Promise<T>): Promise<T> {
  let found = kept.get(key);
  if (!found) kept.set(key, (found = make()));
  return found as Promise<T>;
}

export interface Words {
  names: string[];
  /** Position of the name of each point, -1 if it has none. */
  codes: Int32Array;
}

/** Everything the page knows of its points. A point is a row that is on the page, numbered dataset by dataset. */
export class Data {
  readonly n: number;
  /** First point of each dataset, and the number of points. */
  readonly starts: number[];
  /** Dataset of each point. */
  readonly dataset: Uint8Array;
  private rowNumbers: Uint32Array | null = null;
  private idLists: (string[] | null)[] = [];
  private byRow: (Map<number, number> | null)[] = [];

  private constructor(readonly about: Manifest) {
    this.starts = [0];
    for (const d of about.datasets) this.starts.push(this.starts[this.starts.length - 1] + d.shown);
    this.n = this.starts[this.starts.length - 1];
    this.dataset = new Uint8Array(this.n);
    about.datasets.forEach((_, a) => this.dataset.fill(a, this.starts[a], this.starts[a + 1]));
  }

  static async open(): Promise<Data> {
    const data = new Data(await json<Manifest>("manifest"));
    if (data.about.sampled) data.rowNumbers = await fourBytes("rows");
    return data;
  }

  /** The number of a point's row in its dataset. */
  row(point: number): number {
    return this.rowNumbers ? this.rowNumbers[point] : point - this.starts[this.dataset[point]];
  }

  /** The point of a row, or -1 if it is not on the page. */
  point(dataset: number, row: number): number {
    if (!this.rowNumbers) return row < this.about.datasets[dataset].shown ? this.starts[dataset] + row : -1;
    let map = this.byRow[dataset];
    if (!map) {
      map = new Map();
      for (let p = this.starts[dataset]; p < this.starts[dataset + 1]; p++) map.set(this.rowNumbers[p], p);
      this.byRow[dataset] = map;
    }
    return map.get(row) ?? -1;
  }

  /** Ids must be loaded before names are asked for. */
  async loadIds(): Promise<void> {
    this.idLists = await Promise.all(this.about.ids.map((name) => (name ? json<string[]>(name) : Promise.resolve(null))));
  }
  /** The id of a point, or the number of its row. */
  name(point: number): string {
    const a = this.dataset[point];
    return this.idLists[a]?.[point - this.starts[a]] ?? `row ${this.row(point)}`;
  }
  /** The name of a row that may not be on the page. */
  nameOf(dataset: number, row: number): string {
    const p = this.point(dataset, row);
    return p < 0 ? `row ${row}` : this.name(p);
  }

  axis(scale: Scale): Promise<Float32Array> {
    return once(scale.part, () => values(scale));
  }
  numbers(about: NumbersAbout): Promise<Float32Array> {
    return about.part ? this.axis(about as Scale) : this.matched().then((found) => found.distance);
  }
  words(about: WordsAbout): Promise<Words> {
    return once(about.part, async () => {
      const [names, codes] = await Promise.all([json<string[]>(about.names), twoBytes(about.part)]);
      return { names, codes: Int32Array.from(codes, (c) => (c === MISSING ? -1 : c)) };
    });
  }
  /** Two points per link. */
  links(links: Links): Promise<Uint32Array> {
    return links.part ? once(links.part, () => fourBytes(links.part as string)) : Promise.resolve(new Uint32Array());
  }
  density(name: string): Promise<Uint8Array> {
    return part(name);
  }
  texts(dataset: number): Promise<string[] | null> {
    const name = this.about.texts[dataset];
    return name ? once(name, () => json<string[]>(name)) : Promise.resolve(null);
  }

  /** Rows of the other dataset that are nearest to a point, best first. */
  async partners(about: PartnersAbout, point: number): Promise<{ row: number; distance: number }[]> {
    const rows = await once(about.part, () => fourBytes(about.part));
    const scale = about.distance;
    const distances = scale.part ? await this.axis(scale as Scale) : null;
    const at = (point - this.starts[about.from]) * about.k;
    const found = [];
    for (let r = at; r < at + about.k; r++) {
      if (rows[r] !== NONE) found.push({ row: rows[r], distance: distances ? distances[r] : NaN });
    }
    return found;
  }

  /** The nearest point in another dataset, for every point; -1 if there is none on the page. */
  async nearest(): Promise<Int32Array> {
    return (await this.matched()).nearest;
  }
  private matched(): Promise<{ nearest: Int32Array; distance: Float32Array }> {
    return once("matched", async () => {
      const out = new Int32Array(this.n).fill(-1);
      const best = new Float32Array(this.n).fill(Infinity);
      for (const about of this.about.partners) {
        const rows = await once(about.part, () => fourBytes(about.part));
        const distances = about.distance.part ? await this.axis(about.distance as Scale) : null;
        for (let p = this.starts[about.from], at = 0; p < this.starts[about.from + 1]; p++, at += about.k) {
          const d = distances ? distances[at] : 0;
          if (rows[at] !== NONE && d < best[p]) {
            best[p] = d;
            out[p] = this.point(about.to, rows[at]);
          }
        }
      }
      for (let p = 0; p < best.length; p++) if (best[p] === Infinity) best[p] = NaN;
      return { nearest: out, distance: best };
    });
  }

  /** The strongest features of a point. */
  async features(point: number): Promise<{ about: string; list: [string, number][] } | null> {
    const a = this.dataset[point];
    const about = this.about.features[a];
    if (!about) return null;
    const [names, columns, numbers] = await Promise.all([
      once(about.names, () => json<string[]>(about.names)),
      once(about.columns, () => fourBytes(about.columns)),
      this.axis(about.values),
    ]);
    const at = (point - this.starts[a]) * about.k;
    const list: [string, number][] = [];
    for (let r = at; r < at + about.k; r++) if (columns[r] !== NONE) list.push([names[columns[r]], numbers[r]]);
    return { about: about.about, list };
  }

  /** Points that have the word among their strongest features. */
  async withFeature(word: string, most: number): Promise<number[]> {
    const found: number[] = [];
    for (let a = 0; a < this.about.features.length; a++) {
      const about = this.about.features[a];
      if (!about) continue;
      const names = await once(about.names, () => json<string[]>(about.names));
      const column = names.findIndex((name) => name.toLowerCase() === word);
      if (column < 0) continue;
      const columns = await once(about.columns, () => fourBytes(about.columns));
      for (let r = 0; r < columns.length && found.length < most; r++) {
        if (columns[r] === column) found.push(this.starts[a] + Math.floor(r / about.k));
      }
    }
    return found;
  }
}
