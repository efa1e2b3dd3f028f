// The page: the picture with its tools, rows beside it, what is to be said below.

import "./style.css";
import { redraw } from "./charts";
import { isDark } from "./colour";
import { controls } from "./controls";
import { Data } from "./data";
import { diagnosis } from "./diagnosis";
import { fill, h, plain } from "./dom";
import { Plot } from "./plot";
import { Rows } from "./rows";

function theme(changed: () => void): HTMLElement {
  const button = h("button", { type: "button", class: "theme" });
  const name = () => (button.textContent = isDark() ? "Light" : "Dark");
  button.setAttribute("aria-label", "Switch between light and dark");
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    name();
    changed();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    name();
    changed();
  });
  name();
  return button;
}

async function start(): Promise<void> {
  const app = document.getElementById("app") as HTMLElement;
  if (typeof DecompressionStream === "undefined") throw new Error("this browser is too old to unpack the data");
  const data = await Data.open();
  const { about } = data;
  let recolour = () => {};
  const restyle = () => {
    recolour();
    redraw();
  };
  document.querySelector(".head")?.append(theme(restyle));
  if (!about.views.length || !data.n) {
    fill(app, h("p", { class: "empty" }, "There are no rows to show: the model was saved without them."));
    const rows = new Rows(data, new Plot(data), () => {});
    app.append(diagnosis(data, rows));
    redraw();
    return;
  }
  const plot = new Plot(data);
  const status = h("p", { class: "status", role: "status" });
  const say = (text: string) => (status.textContent = plain(text));
  const tools = controls(data, plot, say);
  const rows = new Rows(data, plot, say);
  const keys = h("p", { class: "hint keys-hint", id: "plot-keys" }, "Keys: arrows move, + and − zoom, 0 resets, Escape clears the selection.");
  const print = h("img", { class: "printed", alt: "The joint space" });
  fill(
    app,
    h("section", { class: "explore", "aria-label": "The joint space" },
      h("div", { class: "stage" }, tools.element, h("div", { class: "frame" }, plot.element, tools.zooms, print), tools.legend, status, keys),
      rows.element),
  );
  recolour = () => void plot.recolour();
  await tools.ready;
  requestAnimationFrame(() => requestAnimationFrame(() => {
    document.documentElement.dataset.ready = plot.kind;
    document.documentElement.dataset.seconds = (performance.now() / 1000).toFixed(3);
  }));
  await data.loadIds();
  app.append(diagnosis(data, rows));
  redraw();
  let width = 0;
  new ResizeObserver(() => {
    if (Math.abs(document.body.clientWidth - width) < 8) return;
    width = document.body.clientWidth;
    redraw();
  }).observe(document.body);
  addEventListener("beforeprint", () => (print.src = plot.snapshot()));
  document.documentElement.dataset.complete = "yes";
  (globalThis as any).landbridge = { plot, data };
}

start().catch((error: unknown) => {
  const app = document.getElementById("app");
  const why = error instanceof Error ? error.message : String(error);
  if (app) fill(app, h("p", { class: "empty", role: "alert" }, `The page could not be shown: ${why}.`));
  document.documentElement.dataset.ready = "failed";
});
