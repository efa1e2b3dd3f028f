// Curves by uPlot, each with the same numbers as a table.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { css, isDark, ofWord } from "./colour";
import { h, plain, short, table } from "./dom";

export interface Series {
  name: string;
  values: (number | null)[];
  /** Ends of the interval at each value. */
  low?: number[];
  high?: number[];
  dashed?: boolean;
  bars?: boolean;
  colour?: number;
}

export interface Chart {
  title: string;
  x: number[];
  xName: string;
  yName: string;
  logX?: boolean;
  yRange?: [number, number];
  series: Series[];
}

const charts: { chart: Chart; box: HTMLElement; plot: uPlot | null }[] = [];

function draw(entry: (typeof charts)[number]): void {
  const { chart, box } = entry;
  entry.plot?.destroy();
  const ink = isDark() ? "#c9d1d9" : "#424a53";
  const grid = isDark() ? "#30363d" : "#e3e6ea";
  const data: (number | null)[][] = [chart.x];
  const series: uPlot.Series[] = [{ label: plain(chart.xName) }];
  const bands: uPlot.Band[] = [];
  chart.series.forEach((s, at) => {
    const colour = s.dashed ? ink : css(ofWord(s.colour ?? at));
    if (s.low && s.high) {
      data.push(s.high, s.low);
      series.push({ label: "", stroke: "transparent", points: { show: false } }, { label: "", stroke: "transparent", points: { show: false } });
      bands.push({ series: [data.length - 2, data.length - 1], fill: colour.replace("rgb(", "rgb(").replace(")", " / 0.16)") });
    }
    data.push(s.values);
    series.push({
      label: plain(s.name), stroke: colour, width: s.bars ? 1 : 2, dash: s.dashed ? [5, 4] : undefined,
      points: { show: !s.bars && chart.x.length <= 30 && !s.dashed, size: 6, fill: colour },
      fill: s.bars ? colour.replace(")", " / 0.28)") : undefined,
      paths: s.bars ? uPlot.paths.stepped!({ align: 1 }) : undefined,
    });
  });
  const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 }, font: "12px system-ui, sans-serif", labelFont: "12px system-ui, sans-serif", labelSize: 18 };
  entry.plot = new uPlot(
    {
      width: Math.max(240, box.clientWidth),
      height: 230,
      legend: { show: false },
      cursor: { show: false },
      bands,
      scales: { x: { time: false, distr: chart.logX ? 3 : 1 }, y: { range: chart.yRange ? () => chart.yRange as [number, number] : undefined } },
      axes: [
        { ...axis, label: plain(chart.xName), size: 34, values: chart.logX ? (_u, marks) => marks.map((v) => (v === null || ![1, 2, 5].includes(Number(String(v)[0])) ? "" : String(v))) : (_u, marks) => marks.map(short) },
        { ...axis, label: plain(chart.yName), size: 52, values: (_u, marks) => marks.map(short) },
      ],
      series,
    },
    data as uPlot.AlignedData,
    box,
  );
}

/** A chart with its legend, and the numbers as a table that can be opened. */
export function figure(chart: Chart, text: string): HTMLElement {
  const box = h("div", { class: "chart", role: "img", "aria-label": `${chart.title}: ${text}` });
  const legend = h("ul", { class: "keys" }, ...chart.series.map((s, at) => {
    const mark = h("span", { class: s.dashed ? "dash" : "dot", "aria-hidden": "true" });
    if (!s.dashed) mark.dataset.colour = String(s.colour ?? at);
    return h("li", {}, mark, s.name);
  }));
  const rows = chart.x.map((x, i) => [short(x), ...chart.series.map((s) => (s.values[i] == null ? "–" : short(s.values[i] as number)))]);
  const numbers = h("details", {}, h("summary", {}, "Numbers"), table(chart.title, [chart.xName, ...chart.series.map((s) => s.name)], rows, [0, ...chart.series.map((_, at) => at + 1)]));
  charts.push({ chart, box, plot: null });
  return h("figure", {}, box, legend, numbers);
}

/** Draws all charts again, for new colours or a new width. */
export function redraw(): void {
  for (const entry of charts) if (entry.box.isConnected) draw(entry);
  document.querySelectorAll<HTMLElement>(".keys .dot").forEach((dot) => (dot.style.backgroundColor = css(ofWord(Number(dot.dataset.colour)))));
}
