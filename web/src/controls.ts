// The tools over the picture: view, axes, colours, lines, selection, before and after.

import type { Data, ViewAbout } from "./data";
import { css, ofShare } from "./colour";
import { add, fill, h, named, short } from "./dom";
import type { Legend, LineKind, Mode, Plot } from "./plot";

type Choice = [value: string, text: string];

function select(label: string, choices: Choice[] | Record<string, Choice[]>, value: string, chosen: (value: string) => void): [HTMLElement, HTMLSelectElement] {
  const option = ([key, text]: Choice) => h("option", { value: key, selected: key === value }, text);
  const list = h("select", { change: () => chosen(list.value) });
  if (Array.isArray(choices)) list.append(...choices.map(option));
  else {
    for (const [group, own] of Object.entries(choices)) {
      if (own.length) list.append(h("optgroup", { label: group }, ...own.map(option)));
    }
  }
  return [h("label", {}, h("span", {}, label), list), list];
}

function buttons(label: string, choices: Choice[], value: string, chosen: (value: string) => void): HTMLElement {
  const group = h("div", { class: "buttons", role: "group", "aria-label": label });
  for (const [key, text] of choices) {
    group.append(
      h("button", {
        type: "button", "data-key": key, "aria-pressed": String(key === value),
        click: () => {
          group.querySelectorAll("button").forEach((b) => b.setAttribute("aria-pressed", String(b.dataset.key === key)));
          chosen(key);
        },
      }, text),
    );
  }
  return group;
}

export function controls(data: Data, plot: Plot, say: (text: string) => void): { element: HTMLElement; zooms: HTMLElement; legend: HTMLElement; ready: Promise<void> } {
  const { about } = data;
  // Two of many components show little of the space.
  let view: ViewAbout = (about.n_components > 3 && about.views.find((v) => v.key === "layout")) || about.views[0];
  let three = false;
  let axes = [0, 1, 2];
  const axisTools = h("div", { class: "tools axes" });
  const viewText = h("p", { class: "hint" });

  const drawAxes = () => {
    fill(axisTools);
    const names = view.axes.map((axis, at): Choice => [String(at), axis.name ?? `axis ${at + 1}`]);
    if (view.key === "layout" || names.length < 2) return;
    ["Across", "Up", "Deep"].slice(0, three ? 3 : 2).forEach((label, at) => {
      const [element] = select(label, names, String(axes[at]), (value) => {
        axes[at] = Number(value);
        void show();
      });
      axisTools.append(element);
    });
  };
  const show = () => {
    viewText.textContent = view.about;
    return plot.show(view, axes, three);
  };

  const viewChoices: Choice[] = [];
  for (const v of about.views) {
    viewChoices.push([v.key, v.name]);
    if (v.axes.length > 2) viewChoices.push([`${v.key}:3`, `${v.name} 3-D`]);
  }
  const [viewTool] = select("View", viewChoices, view.key, (value) => {
    const [key, depth] = value.split(":");
    view = about.views.find((v) => v.key === key) ?? view;
    three = depth === "3";
    axes = [0, 1, 2];
    drawAxes();
    void show();
  });

  const words = about.words.map((w, at): Choice => [`word:${at}`, w.name]);
  const numbers = (group: string) =>
    about.numbers.map((n, at): [Choice, string] => [[`number:${at}`, n.name], n.group]).filter(([, g]) => g === group).map(([c]) => c);
  const groups: Record<string, Choice[]> = {
    "The picture": [["dataset", "dataset"], ["density", "density"]],
    Words: words,
    Trust: numbers("trust"),
    Given: numbers("given"),
    Features: numbers("feature"),
  };
  const firstColour = words.length ? "word:0" : "dataset";
  const [colourTool] = select("Colour", groups, firstColour, (value) => void plot.colour(value));

  const lineChoices: Choice[] = [["none", "none"]];
  if (about.pairs.shown) lineChoices.push(["known", "known pairs"]);
  if (about.partners.length) {
    lineChoices.push(["matched", "matched pairs"]);
    if (about.pairs.shown || about.truth.shown) lineChoices.push(["wrong", "wrong matches"]);
  }
  const [lineTool] = select("Lines", lineChoices, "none", (value) => {
    void plot.lines(value as LineKind).then((text) => say(text));
  });

  const modes = buttons("What dragging does", [["pan", "Move"], ["box", "Box"], ["lasso", "Lasso"]], "pan", (mode) => {
    plot.mode = mode as Mode;
    plot.element.dataset.mode = mode;
  });
  const zooms = h("div", { class: "buttons zooms", role: "group", "aria-label": "Zoom" },
    h("button", { type: "button", "aria-label": "Zoom in", click: () => plot.zoom(1.4) }, "+"),
    h("button", { type: "button", "aria-label": "Zoom out", click: () => plot.zoom(1 / 1.4) }, "−"),
    h("button", { type: "button", click: () => plot.home() }, "Reset"),
  );

  const tools = h("div", { class: "tools" }, viewTool, colourTool, lineTool, modes);
  const element = h("div", { class: "controls" }, tools, axisTools, viewText);

  if (about.datasets.length > 1) {
    const shown = h("div", { class: "tools sets", role: "group", "aria-label": "Datasets shown" });
    about.datasets.forEach((d, a) => {
      const box = h("input", { type: "checkbox", checked: true, change: () => plot.toggle(a, box.checked) });
      shown.append(h("label", { class: "check" }, box, named(d.name)));
    });
    element.insertBefore(shown, axisTools);
    if (plot.scene.hasBefore()) shown.append(blender(plot));
  }

  const legend = h("div", { class: "legend", "aria-live": "polite" });
  plot.onLegend = (now) => drawLegend(legend, now);
  drawAxes();
  const ready = plot.colour(firstColour).then(show);
  return { element, zooms, legend, ready };
}

/** The way between the datasets before and the joint space after. */
function blender(plot: Plot): HTMLElement {
  const slider = h("input", { type: "range", min: 0, max: 100, value: 100, "aria-label": "From the datasets before alignment to the joint space after" });
  slider.addEventListener("input", () => void plot.setBlend(Number(slider.value) / 100));
  let running = 0;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const play = h("button", { type: "button" }, "Play");
  play.addEventListener("click", async () => {
    running++;
    const own = running;
    const set = (value: number) => {
      slider.value = String(Math.round(100 * value));
      return plot.setBlend(value);
    };
    const target = Number(slider.value) > 50 ? 0 : 1;
    if (still.matches) return void set(target);
    await set(0);
    const begin = performance.now() + 500;
    const frame = async (now: number) => {
      if (own !== running) return;
      const t = Math.max(0, Math.min(1, (now - begin) / 1800));
      await set(t);
      if (t < 1) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  return h("div", { class: "blend", role: "group", "aria-label": "Before and after" }, h("span", {}, "before"), slider, h("span", {}, "after"), play);
}

function drawLegend(element: HTMLElement, legend: Legend): void {
  fill(element, h("p", { class: "legend-title" }, named(legend.title)));
  if (legend.scale) {
    const stops = [0, 0.25, 0.5, 0.75, 1].map((share) => css(ofShare(share))).join(",");
    const bar = h("div", { class: "bar" });
    bar.style.backgroundImage = `linear-gradient(to right, ${stops})`;
    add(element, [h("div", { class: "scale" }, h("span", {}, short(legend.scale.low)), bar, h("span", {}, short(legend.scale.high)))]);
  }
  if (legend.words.length) {
    const items = legend.words.map((word) => {
      const dot = h("span", { class: "dot", "aria-hidden": "true" });
      dot.style.backgroundColor = css(word.colour);
      return h("li", {}, h("button", { type: "button", title: "Select these rows", click: word.pick }, dot, named(word.name), h("span", { class: "quiet" }, word.count.toLocaleString("en"))));
    });
    add(element, [h("ul", {}, ...items)]);
  }
  if (legend.about) add(element, [h("p", { class: "hint" }, legend.about)]);
  if (legend.rest) add(element, [h("p", { class: "hint" }, legend.rest)]);
}
