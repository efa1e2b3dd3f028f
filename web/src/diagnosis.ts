// What is to be said about the alignment: cards of figures below the picture.

import { figure } from "./charts";
import type { Data } from "./data";
import { count, h, named, percent, short, table, type Child } from "./dom";
import type { Rows } from "./rows";

function card(title: string, ...children: Child[]): HTMLElement {
  return h("section", { class: "card" }, h("h2", {}, title), ...children);
}

const hint = (text: string) => h("p", { class: "hint" }, text);

export function diagnosis(data: Data, rows: Rows): HTMLElement {
  const { about } = data;
  const found = about.diagnosis;
  const name = (a: number) => about.datasets[a].name;
  const list = h("div", { class: "cards" });
  const below = h("div", {});
  const add = (made: HTMLElement | null) => made && (made.classList.contains("wide") ? below : list).append(made);
  add(recall(found));
  add(distances(found, name));
  add(alone(found, name, rows));
  add(hubs(found, name, rows));
  add(pairs(found, about.pairs.total, rows));
  add(spectrum(found));
  add(features(found, about.datasets.map((d) => d.name)));
  add(comparison(found));
  add(warnings(found));
  add(again(data));
  return h("div", { class: "diagnosis" }, list, below);
}

function recall(found: any): HTMLElement | null {
  const curves: any[] = found.recall;
  if (!curves.length) {
    return found.scored ? card("Recall", hint("No pairs are known, so recall cannot be measured. Give true pairs to the report: --truth, or truth=.")) : null;
  }
  const held = curves[0].held_out;
  // Datasets may have different sizes: the axis is that of the largest.
  const longest = curves.reduce((a, b) => (b.k.length > a.k.length ? b : a));
  const series = curves.map((c, at) => ({ name: `${c.from} → ${c.to}`, values: longest.k.map((_: number, i: number) => c.share[i] ?? 1), low: longest.k.map((_: number, i: number) => c.low[i] ?? 1), high: longest.k.map((_: number, i: number) => c.high[i] ?? 1), colour: at }));
  const chance = { name: "chance", values: longest.chance, dashed: true };
  const at1 = curves.map((c) => `${c.from} → ${c.to} ${percent(c.share[0])}`).join(", ");
  const some = found.scored.pairs < found.scored.of ? ` An even sample of ${found.scored.pairs.toLocaleString("en")} of ${found.scored.of.toLocaleString("en")} pairs.` : "";
  return card(
    "Recall",
    figure({ title: "Recall at k", x: longest.k, xName: "k", yName: "recall@k", logX: true, yRange: [0, 1.02], series: [...series, chance] }, `recall at 1: ${at1}`),
    hint(held
      ? `Share of rows whose true partner is among the k nearest rows, on ${count(curves[0].pairs, "pair")} that the fit did not see; shaded: 95 % interval.${some}`
      : `Of ${count(curves[0].pairs, "pair")} that were used in the fit: how well they were fitted, not how well other rows are matched.${some}`),
  );
}

function distances(found: any, name: (a: number) => string): HTMLElement | null {
  const all: any[] = found.distances;
  if (!all.length) return null;
  const what = found.scored?.truth ? "true pairs" : "known pairs";
  const figures = all.slice(0, 3).flatMap((d) => {
    const bars = d.known.length;
    const x = Array.from({ length: bars + 1 }, (_, i) => d.low + (i * (d.high - d.low)) / bars);
    const stepped = (values: number[]) => [...values, values[values.length - 1]];
    return [
      all.length > 1 ? h("h3", {}, `${name(d.a)} and ${name(d.b)}`) : null,
      figure(
        { title: "Distances", x, xName: `${found.metric} distance`, yName: "share", series: [{ name: what, values: stepped(d.known), bars: true, colour: 2 }, { name: "random rows", values: stepped(d.random), bars: true, colour: 6 }] },
        `median of ${what} ${short(d.median_known)}, of random rows ${short(d.median_random)}`,
      ),
      hint(`Median distance of ${what}: ${short(d.median_known)}; of random rows: ${short(d.median_random)}. The less they overlap, the better.`),
    ];
  });
  return card(`Distances of ${what}`, ...figures);
}

function alone(found: any, name: (a: number) => string, rows: Rows): HTMLElement | null {
  const all: any[] = found.alone;
  if (!all.length) return null;
  const parts = all.flatMap((side): Child[] => {
    const head = h("h3", {}, named(name(side.from)), ` without a good partner in `, named(name(side.to)), `: ${count(side.count, "row")}`);
    if (!side.count) return [head];
    const list = side.rows.map(([i, j, d]: number[]): Child[] => [rows.linkTo(side.from, i), short(d), rows.linkTo(side.to, j)]);
    return [head, table(`Rows of ${name(side.from)} without a good partner`, ["row", "distance", "nearest"], list, [1])];
  });
  return card("Rows without a good partner", ...parts, hint("The nearest row of the other dataset is unusually far: above the upper quartile by more than 1.5 times the distance between the quartiles."));
}

function hubs(found: any, name: (a: number) => string, rows: Rows): HTMLElement | null {
  const all: any[] = found.hubs;
  if (!all.length) return null;
  const parts = all.flatMap((side): Child[] => {
    const words = `${percent(side.never)} of ${name(side.to)} are nearest to no row of ${name(side.from)}` + (side.mutual == null ? "" : `; ${percent(side.mutual)} of ${name(side.from)} are matched mutually`);
    const top = side.top.filter(([, c]: number[]) => c > 2).slice(0, 8);
    const list = top.map(([j, c]: number[]): Child[] => [rows.linkTo(side.to, j), c.toLocaleString("en")]);
    return [h("p", {}, words), list.length ? table(`Hubs of ${name(side.to)}`, ["row", `nearest of … ${name(side.from)}`], list, [1]) : null];
  });
  return card("Hubs", ...parts, hint("A hub is the nearest row of many rows at once: at most one of those matches is right. Matching by CSLS, or one to one, avoids them."));
}

function pairs(found: any, given: number, rows: Rows): HTMLElement | null {
  const suspects = found.suspects;
  const far = found.far_pairs;
  if (!given || (!suspects && !far?.scored)) return null;
  const parts: Child[] = [];
  if (suspects?.by === "check_pairs") {
    parts.push(h("p", {}, suspects.verdict));
    if (suspects.pairs.length) {
      parts.push(table("Pairs that look wrong", ["pair", "row", "row", "misfit", "chance that it is right"], suspects.pairs.map((p: any): Child[] => [String(p.pair), rows.linkTo(p.a, p.i), rows.linkTo(p.b, p.j), short(p.misfit), short(p.confidence)]), [3, 4]));
    }
  } else if (suspects) {
    parts.push(h("p", {}, `The fit found ${count(suspects.count, "given pair")} that look wrong: ${suspects.positions.slice(0, 20).join(", ")} (counted from 0).`));
  }
  if (far?.scored) {
    parts.push(h("p", {}, far.count ? `Of ${count(far.scored, "known pair")}, ${far.count.toLocaleString("en")} are not nearest to each other in either direction. Farthest first:` : `All ${count(far.scored, "known pair")} that were looked at find each other in at least one direction.`));
    if (far.pairs.length) {
      parts.push(table("Known pairs that lie far apart", ["row", "row", "ranks", "distance"], far.pairs.map((p: any): Child[] => [rows.linkTo(p.a, p.i), rows.linkTo(p.b, p.j), p.ranks.map((r: number) => r.toLocaleString("en")).join(" / "), short(p.distance)]), [2, 3]));
    }
  }
  return card("Pairs that look wrong", ...parts);
}

function spectrum(found: any): HTMLElement | null {
  const values: number[] = found.spectrum;
  const { outcome } = found;
  const text = `${outcome.status === "converged" ? "Converged" : "Reduced accuracy"}: residual ${short(outcome.residual)} (asked ${short(outcome.tolerance)}), solver ${outcome.solver}${outcome.components > 1 ? `, graph in ${outcome.components} pieces` : ""}.`;
  if (values.length < 2) return card("Solver", h("p", {}, text));
  return card("Spectrum", figure({ title: "Spectrum", x: values.map((_, i) => i), xName: "component", yName: "value", series: [{ name: "value of the component", values }] }, text), hint(text));
}

function features(found: any, names: string[]): HTMLElement | null {
  const all: any[] = found.features;
  if (!all.length) return card("Components", hint("This method places rows and learns no map of the features, so its components have no features."));
  const words = (side: [string, number][], sign: number) => side.filter(([, w]) => w * sign > 0).map(([word]) => word).join(", ");
  const rows = all.flatMap((c) => [1, -1].map((sign): Child[] => [`${c.component} ${sign > 0 ? "+" : "−"}`, ...c.sides.map((side: [string, number][]) => named(words(side, sign) || "–"))]));
  const made = card("Components as features", table("Features of largest weight in each component", ["", ...names], rows), hint("Features of one sign and one component go together, in all datasets."));
  made.classList.add("wide");
  return made;
}

function comparison(found: any): HTMLElement | null {
  const selection = found.selection;
  if (!selection?.table?.length) return null;
  const number = (v: unknown) => (typeof v === "number" ? short(v) : "–");
  const rows = selection.table.map((r: any): Child[] => [named(r.method), number(r.score), typeof r.low === "number" ? `${short(r.low)} – ${short(r.high)}` : "–", number(r.chance), number(r.recall_at_1), number(r.recall_at_10), r.tied ? "tied" : ""]);
  const made = card("Methods compared", h("p", {}, selection.verdict ?? ""), table("Methods compared on held-out pairs", ["method", selection.scoring ?? "score", "95 % interval", "chance", "recall@1", "recall@10", ""], rows, [1, 2, 3, 4, 5]));
  made.classList.add("wide");
  return made;
}

function warnings(found: any): HTMLElement | null {
  const all: string[] = found.warnings;
  return all.length ? card("Warnings of the fit", h("ul", {}, ...all.map((text) => h("li", {}, text)))) : null;
}

function again(data: Data): HTMLElement {
  const { about } = data;
  const found = about.diagnosis;
  const parameters = Object.entries(found.params ?? {}).map(([key, value]) => `${key} = ${typeof value === "string" ? value : JSON.stringify(value)}`);
  const made = card(
    "How it was made",
    h("dl", {},
      h("dt", {}, "method"), h("dd", {}, about.method),
      h("dt", {}, "pairs given"), h("dd", {}, Number(found.pairs_given).toLocaleString("en")),
      h("dt", {}, "landbridge"), h("dd", {}, about.version),
      ...(found.seconds.length ? [h("dt", {}, "seconds"), h("dd", {}, found.seconds.map(([stage, s]: [string, number]) => `${stage} ${s.toFixed(2)}`).join(", "))] : []),
    ),
    found.command ? h("pre", { tabindex: 0, "aria-label": "The command that makes it again" }, found.command) : null,
    h("details", {}, h("summary", {}, "Parameters"), h("ul", { class: "parameters" }, ...parameters.map((text) => h("li", {}, text)))),
  );
  return made;
}
