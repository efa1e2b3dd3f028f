// Rows: search, the details of one, a table of those selected.

import type { Data } from "./data";
import { add, count, fill, h, named, percent, short, table, type Child } from "./dom";
import type { Plot } from "./plot";

/** Rows of a list. */
const LISTED = 200;
const FOUND = 30;

export class Rows {
  readonly element: HTMLElement;
  private details = h("section", { class: "details", "aria-label": "Details of a row", "aria-live": "polite", tabindex: 0 });
  private selection = h("section", { class: "selection", "aria-label": "Selected rows" });
  private results = h("ul", { class: "results", "aria-label": "Rows found" });
  private status = h("p", { class: "hint", role: "status" });

  constructor(private data: Data, private plot: Plot, private say: (text: string) => void) {
    const input = h("input", { type: "search", placeholder: "id, label, word or text", autocomplete: "off", spellcheck: "false" });
    let timer = 0;
    input.addEventListener("input", () => {
      clearTimeout(timer);
      timer = window.setTimeout(() => void this.search(input.value), 120);
    });
    const form = h("form", { role: "search", submit: (event: Event) => {
      event.preventDefault();
      void this.search(input.value);
    } }, h("label", {}, h("span", {}, "Find a row"), input));
    this.element = h("div", { class: "side" }, form, this.status, this.results, this.details, this.selection);
    this.empty();
    this.select([]);
    plot.onPick = (point) => this.show(point);
    plot.onSelect = (points) => this.select(points);
  }

  private empty(): void {
    fill(this.details, h("h2", {}, "A row"), h("p", { class: "hint" }, "Click a point, or find a row by its id, to see its partners in the other dataset."));
  }

  private async search(text: string): Promise<void> {
    const word = text.trim().toLowerCase();
    fill(this.results);
    this.status.textContent = "";
    if (!word) return;
    const { data } = this;
    const found: number[] = [];
    const seen = new Set<number>();
    let total = 0;
    const take = (p: number) => {
      if (seen.has(p)) return;
      seen.add(p);
      total++;
      if (found.length < FOUND) found.push(p);
    };
    for (let p = 0; p < data.n; p++) if (data.name(p).toLowerCase() === word) take(p);
    for (let p = 0; p < data.n; p++) if (data.name(p).toLowerCase().includes(word)) take(p);
    for (const about of data.about.words) {
      const { names, codes } = await data.words(about);
      const hits = new Set(names.flatMap((name, at) => (name.toLowerCase().includes(word) ? [at] : [])));
      if (hits.size) for (let p = 0; p < data.n; p++) if (hits.has(codes[p])) take(p);
    }
    for (const p of await data.withFeature(word, 5000)) take(p);
    for (let a = 0; a < data.about.datasets.length; a++) {
      const texts = await data.texts(a);
      texts?.forEach((text, i) => text.toLowerCase().includes(word) && take(data.starts[a] + i));
    }
    this.status.textContent = total === 0 ? "no row found" : total > FOUND ? `${count(total, "row")} found, the first ${FOUND} listed` : `${count(total, "row")} found`;
    add(this.results, found.map((p) => h("li", {}, this.link(p))));
    if (total > 1) {
      add(this.results, [h("li", {}, h("button", { type: "button", class: "all", click: () => this.plot.select([...seen]) }, `Select all ${count(total, "row")}`))]);
    }
  }

  /** A button that shows a row, with the name of its dataset or without. */
  link(point: number, bare = false): HTMLElement {
    const dataset = bare ? null : h("span", { class: "quiet" }, this.data.about.datasets[this.data.dataset[point]].name);
    return h("button", { type: "button", class: "row", click: () => void this.show(point) }, named(this.data.name(point)), dataset);
  }
  /** The same for a row that may not be on the page, where its dataset is clear. */
  linkTo(dataset: number, row: number): Child {
    const p = this.data.point(dataset, row);
    return p < 0 ? `row ${row}` : this.link(p, true);
  }

  private turn = 0;
  async show(point: number): Promise<void> {
    const { data } = this;
    const own = ++this.turn;
    const { about } = data;
    if (point < 0) {
      this.plot.mark(-1);
      this.empty();
      return;
    }
    const a = data.dataset[point];
    const facts: Child[][] = [["dataset", named(about.datasets[a].name)], ["row", String(data.row(point))]];
    for (const word of about.words) {
      const { names, codes } = await data.words(word);
      facts.push([named(word.name), codes[point] < 0 ? "none" : named(names[codes[point]])]);
    }
    const values: Child[][] = [];
    for (const number of about.numbers) {
      const value = (await data.numbers(number))[point];
      if (Number.isFinite(value)) (number.group === "feature" ? values : facts).push([named(number.name), short(value)]);
    }
    const listed = (list: Child[][]) => h("dl", {}, ...list.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
    const sections: Child[] = [listed(facts)];
    const known = new Set<number>();
    for (const [links, words] of [[about.pairs, "known pair"], [about.truth, "true pair"]] as const) {
      const ends = await data.links(links);
      for (let l = 0; l < ends.length; l += 2) {
        const other = ends[l] === point ? ends[l + 1] : ends[l + 1] === point ? ends[l] : -1;
        if (other < 0 || known.has(other)) continue;
        known.add(other);
        sections.push(h("p", {}, `${words}: `, this.link(other)));
      }
    }
    const rings: number[] = [];
    for (const partners of about.partners.filter((p) => p.from === a)) {
      const found = await data.partners(partners, point);
      const target = about.datasets[partners.to].name;
      const right = (row: number) => {
        const p = data.point(partners.to, row);
        return p >= 0 && known.has(p) ? "its pair" : "";
      };
      const rows = found.map(({ row, distance }, rank): Child[] => [String(rank + 1), this.linkTo(partners.to, row), short(distance), right(row)]);
      rings.push(...found.map(({ row }) => data.point(partners.to, row)).filter((p) => p >= 0));
      sections.push(h("h3", {}, "Nearest rows of ", named(target)));
      sections.push(rows.length ? table(`Nearest rows of ${target}`, ["", "row", "distance", ""], rows, [0, 2]) : h("p", { class: "hint" }, "The partners of this row were not computed."));
    }
    const features = await data.features(point);
    if (features) {
      sections.push(h("h3", {}, "Features"), h("p", { class: "words" }, ...features.list.flatMap(([name, value]) => [h("span", {}, named(name), h("small", {}, short(value))), " "])), h("p", { class: "hint" }, features.about));
    }
    const text = (await data.texts(a))?.[point - data.starts[a]];
    if (values.length) sections.push(h("details", { open: !features }, h("summary", {}, "Values of the features to colour by"), listed(values)));
    if (text) sections.push(h("h3", {}, "Text"), h("blockquote", { dir: "auto" }, text));
    if (own !== this.turn) return; // another row was asked for meanwhile
    fill(this.details, h("h2", {}, named(data.name(point))), ...sections);
    this.plot.mark(point, rings);
  }

  private async select(points: number[]): Promise<void> {
    const { data } = this;
    this.say(points.length ? `${count(points.length, "row")} selected` : "");
    if (!points.length) {
      fill(this.selection, h("h2", {}, "Selection"), h("p", { class: "hint" }, "Choose Box or Lasso and drag over the picture, or click a name in the legend."));
      return;
    }
    const words = data.about.words[0];
    const labels = words ? await data.words(words) : null;
    const nearest = data.about.partners.length ? await data.nearest() : null;
    const partner = (p: number) => (nearest && nearest[p] >= 0 ? this.link(nearest[p], data.about.datasets.length < 3) : "–");
    const rows = points.slice(0, LISTED).map((p): Child[] => [
      this.link(p), ...(labels ? [labels.codes[p] < 0 ? "none" : named(labels.names[labels.codes[p]])] : []), ...(nearest ? [partner(p)] : []),
    ]);
    const sizes = data.about.datasets.map((d, a) => `${points.filter((p) => data.dataset[p] === a).length.toLocaleString("en")} of ${d.name}`);
    fill(
      this.selection,
      h("h2", {}, `${count(points.length, "row")} selected`),
      h("p", { class: "hint" }, `${sizes.join(", ")}${points.length > LISTED ? `; the first ${LISTED} are listed` : ""}`),
      this.inBoth(points, nearest),
      h("div", { class: "buttons" },
        h("button", { type: "button", click: () => void this.export(points) }, "Export CSV"),
        h("button", { type: "button", click: () => this.plot.select([]) }, "Clear"),
      ),
      table("Selected rows", ["row", ...(labels ? [words.name] : []), ...(nearest ? ["nearest"] : [])], rows),
    );
  }

  /** How many of the selected rows have their nearest row selected too. */
  private inBoth(points: number[], nearest: Int32Array | null): Child {
    if (!nearest) return null;
    const chosen = new Set(points);
    const inside = points.filter((p) => chosen.has(nearest[p])).length;
    return h("p", { class: "hint" }, `${percent(inside / points.length)} have their nearest row of the other dataset in the selection`);
  }

  private async export(points: number[]): Promise<void> {
    const { data } = this;
    const { about } = data;
    const words = await Promise.all(about.words.map((w) => data.words(w)));
    const numbers = await Promise.all(about.numbers.map((n) => data.numbers(n)));
    const nearest = about.partners.length ? await data.nearest() : null;
    // A spreadsheet would run a cell that begins like a formula.
    const cell = (value: string) => {
      const safe = /^[=+\-@\t\r]/.test(value) && !Number.isFinite(Number(value)) ? `'${value}` : value;
      return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
    };
    const head = ["dataset", "row", "id", ...about.words.map((w) => w.name), ...(nearest ? ["nearest_dataset", "nearest_id"] : []), ...about.numbers.map((n) => n.name)];
    const lines = points.map((p) => {
      const own = [about.datasets[data.dataset[p]].name, String(data.row(p)), data.name(p)];
      own.push(...words.map((w) => (w.codes[p] < 0 ? "" : w.names[w.codes[p]])));
      if (nearest) own.push(...(nearest[p] < 0 ? ["", ""] : [about.datasets[data.dataset[nearest[p]]].name, data.name(nearest[p])]));
      own.push(...numbers.map((v) => (Number.isFinite(v[p]) ? String(v[p]) : "")));
      return own.map(cell).join(",");
    });
    const text = [head.map(cell).join(","), ...lines].join("\r\n") + "\r\n";
    const address = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
    const link = h("a", { href: address, download: "selection.csv" });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }
}
