// The picture and what a pointer or the keyboard does to it.

import { type Data, type ViewAbout } from "./data";
import { COLOURED, density, grey, isDark, ofShare, ofWord, shares } from "./colour";
import { h, named, plain } from "./dom";
import { type Painter, type Picture, painter, plainPainter } from "./painter";
import { type Camera, Scene } from "./scene";

export type Mode = "pan" | "box" | "lasso";
export type LineKind = "none" | "known" | "matched" | "wrong";

export interface Legend {
  title: string;
  about: string;
  /** Words with their colour and number of points, or the ends of a scale. */
  words: { name: string; colour: [number, number, number]; count: number; pick: () => void }[];
  rest: string;
  scale: { low: number; high: number } | null;
}

/** Lines that a picture shows at most: more would cover the points. Before alignment they cross the whole picture. */
const LINES = 2000;
const CROSSING = 100;

export class Plot {
  readonly element: HTMLElement;
  readonly scene: Scene;
  readonly hidden: Uint8Array;
  selected: number[] = [];
  focus = -1;
  mode: Mode = "pan";
  onSelect: (points: number[]) => void = () => {};
  onPick: (point: number) => unknown = () => {};
  onLegend: (legend: Legend) => void = () => {};
  private painter: Painter;
  private camera: Camera = { x: 0.5, y: 0.5, scale: 300, yaw: 0.6, pitch: 0.35 };
  private view: ViewAbout | null = null;
  private axes: number[] = [0, 1, 2];
  private colourKey = "dataset";
  private lineKind: LineKind = "none";
  private picture: Picture;
  private tip: HTMLElement;
  private overlay: SVGSVGElement;
  private path: SVGPathElement;
  private captionX: HTMLElement;
  private captionY: HTMLElement;
  private corner: HTMLElement;
  private waiting = false;
  private moving = false;
  private calm = 0;
  private frames = 0;

  constructor(readonly data: Data) {
    this.scene = new Scene(data);
    this.hidden = new Uint8Array(data.n);
    this.overlay = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.overlay.classList.add("overlay");
    this.overlay.setAttribute("aria-hidden", "true");
    this.path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    this.overlay.append(this.path);
    this.tip = h("div", { class: "tip", hidden: true, "aria-hidden": "true" });
    this.captionX = h("div", { class: "axis across" });
    this.captionY = h("div", { class: "axis up" });
    this.corner = h("div", { class: "corner" });
    this.element = h("div", {
      class: "plot", tabindex: 0, role: "application", "aria-roledescription": "scatter plot", "aria-describedby": "plot-keys",
    });
    this.element.append(this.overlay, this.tip, this.captionX, this.captionY, this.corner);
    this.painter = painter(this.element, data.n, (why) => this.withoutWebgl(why));
    // Datasets take turns, and a part of the points is an even sample of all.
    const order = new Uint32Array(data.n);
    for (let i = 0; i < data.n; i++) order[i] = i;
    let state = 12345;
    for (let i = data.n - 1; i > 0; i--) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      const j = state % (i + 1);
      [order[i], order[j]] = [order[j], order[i]];
    }
    this.picture = {
      order, xy: this.scene.xy, colours: new Uint8Array(4 * data.n), radius: 3, rings: [], lines: new Uint32Array(),
      lineColour: [120, 120, 120, 120], shade: null, ink: [0, 0, 0], paper: [255, 255, 255], version: { places: 0, colours: 0 },
    };
    this.listen();
    new ResizeObserver(() => this.resized()).observe(this.element);
  }

  get kind(): string {
    return this.painter.kind;
  }
  /** Frames drawn so far. */
  get drawn(): number {
    return this.frames;
  }

  private withoutWebgl(why: string): void {
    if (this.painter.kind === "canvas") return;
    console.warn(`WebGL failed (${why}); drawing on a plain canvas`);
    this.painter = plainPainter(this.element);
    this.later();
  }

  private size(): [number, number] {
    return [this.element.clientWidth || 1, this.element.clientHeight || 1];
  }
  private width = 0;
  private resized(): void {
    const [width, height] = this.size();
    if (!this.width) this.home();
    else this.camera.scale *= Math.max(0.2, width / this.width);
    this.width = width;
    this.overlay.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.later();
  }

  home(): void {
    const [width, height] = this.size();
    this.camera = this.scene.home(width, height);
    this.replace();
  }

  async show(view: ViewAbout, axes: number[], three: boolean): Promise<void> {
    this.view = view;
    this.axes = axes;
    const [width, height] = this.size();
    this.scene.aspect = Math.max(0.5, Math.min(3, width / height));
    await this.scene.show(view, axes, three);
    await this.shade();
    const name = (at: number) => view.axes[at]?.name ?? "";
    this.captionX.textContent = three ? "" : plain(name(axes[0]));
    this.captionY.textContent = three ? "" : plain(view.axes.length > 1 ? name(axes[1]) : "one line per dataset");
    await this.colour(this.colourKey);
    this.replace();
    this.describe();
  }

  private describe(): void {
    const names = this.data.about.datasets.map((d) => `${d.shown.toLocaleString("en")} rows of ${d.name}`).join(" and ");
    this.element.setAttribute("aria-label", plain(`Scatter plot of ${names}. View: ${this.view?.name ?? ""}.`));
  }

  async setBlend(blend: number): Promise<void> {
    await this.scene.loadBefore();
    this.scene.blend = blend;
    const before = blend < 0.02;
    const apart = blend < 0.98;
    if (apart !== this.element.classList.contains("apart")) {
      this.element.classList.toggle("apart", apart);
      if (this.picture.lines.length) await this.lines(this.lineKind);
    }
    const names = this.data.about.datasets.map((d) => d.name).join("   ·   ");
    this.corner.textContent = before ? plain(`before: ${names}, each by itself`) : "";
    this.replace();
  }

  /** Shows where all rows lie, if the page has a sample. */
  private async shade(): Promise<void> {
    const about = this.view?.density;
    this.picture.shade = null;
    if (!about || this.scene.three || this.axes[0] !== about.axes[0] || this.axes[1] !== about.axes[1]) return;
    const bytes = await this.data.density(about.part);
    const side = about.side;
    const image = document.createElement("canvas");
    image.width = image.height = side;
    const context = image.getContext("2d");
    if (!context) return;
    const pixels = context.createImageData(side, side);
    const datasets = this.data.about.datasets.length;
    for (let cell = 0; cell < side * side; cell++) {
      let [r, g, b, total] = [0, 0, 0, 0];
      for (let a = 0; a < datasets; a++) {
        const v = bytes[a * side * side + cell];
        const colour = ofWord(a);
        [r, g, b, total] = [r + v * colour[0], g + v * colour[1], b + v * colour[2], total + v];
      }
      const row = side - 1 - Math.floor(cell / side);
      const at = 4 * (row * side + (cell % side));
      if (total) pixels.data.set([r / total, g / total, b / total, Math.min(255, total)], at);
    }
    context.putImageData(pixels, 0, 0);
    const [axisX, axisY] = [this.view!.axes[this.axes[0]], this.view!.axes[this.axes[1]]];
    const [ox, fx, oy, fy] = this.scene.box;
    this.picture.shade = {
      image,
      bounds: { x0: ox + fx * axisX.low, x1: ox + fx * axisX.high, y0: oy + fy * axisY.low, y1: oy + fy * axisY.high },
    };
  }

  /** Colours the points: "dataset", "density", "word:0", "number:3". */
  async colour(key: string): Promise<void> {
    this.colourKey = key;
    const { data, picture } = this;
    const { about } = data;
    const [kind, position] = key.split(":");
    const n = data.n;
    let of: (p: number) => [number, number, number] = (p) => ofWord(data.dataset[p]);
    const legend: Legend = { title: "dataset", about: "", words: [], rest: "", scale: null };
    const select = (test: (p: number) => boolean) => () => {
      const points: number[] = [];
      for (let p = 0; p < n; p++) if (!this.hidden[p] && test(p)) points.push(p);
      this.select(points);
    };
    if (kind === "word") {
      const word = about.words[Number(position)];
      const { names, codes } = await data.words(word);
      const counts = new Map<number, number>();
      codes.forEach((c) => counts.set(c, (counts.get(c) ?? 0) + 1));
      of = (p) => ofWord(codes[p] >= COLOURED ? -1 : codes[p]);
      legend.title = word.name;
      legend.words = names.slice(0, COLOURED).map((name, at) => ({
        name, colour: ofWord(at), count: counts.get(at) ?? 0, pick: select((p) => codes[p] === at),
      }));
      if (counts.get(-1)) {
        legend.words.push({ name: "none", colour: grey(), count: counts.get(-1) ?? 0, pick: select((p) => codes[p] < 0) });
      }
      const others = names.length - COLOURED + word.others;
      if (others > 0) legend.rest = `${others.toLocaleString("en")} further values are grey; the most frequent have colours`;
    } else if (kind === "number") {
      const number = about.numbers[Number(position)];
      const { share, low, high } = shares(await data.numbers(number));
      of = (p) => ofShare(share[p]);
      legend.title = number.name;
      legend.about = number.about;
      legend.scale = { low, high };
      if (share.some(Number.isNaN)) legend.rest = "grey: no value";
    } else if (kind === "density") {
      this.scene.place(this.camera);
      const share = density(this.scene.xy, n);
      of = (p) => ofShare(share[p]);
      legend.title = "density";
      legend.about = "How many points lie near each point in this picture.";
      legend.scale = { low: 0, high: 1 };
    } else {
      legend.words = about.datasets.map((d, a) => ({
        name: d.name, colour: ofWord(a), count: d.shown, pick: select((p) => data.dataset[p] === a),
      }));
    }
    if (this.colourKey !== key) return; // another choice was made meanwhile
    const chosen = this.selected.length ? new Uint8Array(n) : null;
    this.selected.forEach((p) => (chosen![p] = 1));
    const strong = n > 50000 ? 130 : n > 5000 ? 165 : 205;
    const byDataset = kind === "dataset";
    for (let p = 0; p < n; p++) {
      const [r, g, b] = of(p);
      // Of two datasets in one colour the second is lighter.
      let alpha = byDataset || data.dataset[p] % 2 === 0 ? strong : Math.round(strong * 0.62);
      if (chosen) alpha = chosen[p] ? 255 : Math.round(alpha * 0.18);
      picture.colours.set([r, g, b, this.hidden[p] ? 0 : alpha], 4 * p);
    }
    picture.radius = n > 50000 ? 1.6 : n > 10000 ? 2.2 : n > 2000 ? 3 : n > 300 ? 3.8 : 5;
    picture.ink = isDark() ? [240, 243, 246] : [31, 35, 40];
    picture.paper = isDark() ? [13, 17, 23] : [255, 255, 255];
    picture.version = { ...picture.version, colours: picture.version.colours + 1 };
    if (!byDataset && about.datasets.length > 1) {
      const light = about.datasets.filter((_, a) => a % 2 === 1).map((d) => d.name).join(", ");
      legend.rest = [legend.rest, `lighter points: ${light}`].filter(Boolean).join("; ");
    }
    this.onLegend(legend);
    this.later();
  }

  recolour(): Promise<void> {
    return this.shade().then(() => this.colour(this.colourKey));
  }

  /** Hides or shows a dataset. */
  toggle(dataset: number, shown: boolean): void {
    this.hidden.fill(shown ? 0 : 1, this.data.starts[dataset], this.data.starts[dataset + 1]);
    void this.lines(this.lineKind).then(() => this.colour(this.colourKey));
  }

  /** Lines of pairs. Returns what they are, in words. */
  async lines(kind: LineKind): Promise<string> {
    this.lineKind = kind;
    const { data, picture, hidden } = this;
    const { about } = data;
    let ends: number[] = [];
    let words = "";
    const known = await data.links(about.pairs);
    const truth = await data.links(about.truth);
    const pairs = (links: Uint32Array) => {
      for (let l = 0; l < links.length; l += 2) if (!hidden[links[l]] && !hidden[links[l + 1]]) ends.push(links[l], links[l + 1]);
    };
    if (kind === "known") {
      pairs(known);
      words = `${(ends.length / 2).toLocaleString("en")} known pairs`;
    } else if (kind === "matched" || kind === "wrong") {
      const nearest = await data.nearest();
      if (kind === "matched") {
        for (let p = 0; p < data.n; p++) {
          const q = nearest[p];
          if (q > p && nearest[q] === p && !hidden[p] && !hidden[q]) ends.push(p, q);
        }
        words = `${(ends.length / 2).toLocaleString("en")} pairs of rows that are each other's nearest`;
      } else {
        const partner = new Map<number, number[]>();
        const learn = (links: Uint32Array) => {
          for (let l = 0; l < links.length; l += 2) {
            partner.set(links[l], [...(partner.get(links[l]) ?? []), links[l + 1]]);
            partner.set(links[l + 1], [...(partner.get(links[l + 1]) ?? []), links[l]]);
          }
        };
        learn(known);
        learn(truth);
        let judged = 0;
        for (const [p, partners] of partner) {
          const q = nearest[p];
          if (q < 0 || hidden[p] || hidden[q]) continue;
          if (!partners.some((r) => data.dataset[r] === data.dataset[q])) continue;
          judged++;
          if (!partners.includes(q)) ends.push(p, q);
        }
        words = judged
          ? `${(ends.length / 2).toLocaleString("en")} of ${judged.toLocaleString("en")} rows with a known partner are nearest to another row`
          : "no row on this page has a known partner, so none can be wrong";
      }
    }
    if (this.lineKind !== kind) return "";
    const most = this.element.classList.contains("apart") ? CROSSING : LINES;
    if (ends.length / 2 > most) {
      const all = ends;
      const step = all.length / 2 / most;
      ends = [];
      for (let l = 0; l < most; l++) {
        const at = 2 * Math.floor(l * step);
        ends.push(all[at], all[at + 1]);
      }
      words += `; ${most.toLocaleString("en")} are drawn`;
    }
    picture.lines = Uint32Array.from(ends);
    const many = ends.length > 400 || most === CROSSING;
    const dark = isDark();
    picture.lineColour = kind === "wrong" ? [dark ? 255 : 200, dark ? 110 : 30, dark ? 100 : 30, many ? 110 : 190]
      : [dark ? 200 : 80, dark ? 205 : 86, dark ? 212 : 94, many ? 60 : 130];
    this.later();
    return words;
  }

  select(points: number[]): void {
    this.selected = points;
    void this.colour(this.colourKey);
    this.onSelect(points);
  }

  /** Marks a point, and brings it into sight. */
  mark(point: number, partners: number[] = []): void {
    this.focus = point;
    this.picture.rings = point < 0 ? [] : [point, ...partners.slice(0, 1)];
    if (point >= 0) {
      const [width, height] = this.size();
      const dx = (this.scene.xy[2 * point] - this.camera.x) * this.camera.scale;
      const dy = (this.scene.xy[2 * point + 1] - this.camera.y) * this.camera.scale;
      if (Math.abs(dx) > 0.48 * width || Math.abs(dy) > 0.48 * height) {
        this.camera.x = this.scene.xy[2 * point];
        this.camera.y = this.scene.xy[2 * point + 1];
      }
    }
    this.later();
  }

  zoom(factor: number, px?: number, py?: number): void {
    const [width, height] = this.size();
    const [ax, ay] = [(px ?? width / 2) - width / 2, height / 2 - (py ?? height / 2)];
    const scale = Math.max(0.15 * Math.min(width, height), Math.min(4e6, this.camera.scale * factor));
    this.camera.x += ax / this.camera.scale - ax / scale;
    this.camera.y += ay / this.camera.scale - ay / scale;
    this.camera.scale = scale;
    this.move();
  }

  /** Moves by pixels; in three dimensions it turns. */
  pan(dx: number, dy: number): void {
    if (this.scene.three && this.scene.blend > 0.98) {
      this.camera.yaw += dx * 0.008;
      this.camera.pitch = Math.max(-1.5, Math.min(1.5, this.camera.pitch + dy * 0.008));
      this.replace();
    } else {
      this.camera.x -= dx / this.camera.scale;
      this.camera.y += dy / this.camera.scale;
    }
    this.move();
  }

  private move(): void {
    this.moving = true;
    clearTimeout(this.calm);
    this.calm = window.setTimeout(() => {
      this.moving = false;
      this.later();
    }, 160);
    this.tip.hidden = true;
    this.later();
  }

  private replace(): void {
    this.scene.place(this.camera);
    this.picture.version = { ...this.picture.version, places: this.picture.version.places + 1 };
    this.later();
  }

  private later(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.painter.draw(this.picture, this.camera, this.moving);
      this.frames++;
    });
  }

  snapshot(): string {
    return this.painter.snapshot();
  }

  /** Where a point is on the screen, in pixels of the plot. */
  screen(point: number): [number, number] {
    const [width, height] = this.size();
    return [
      (this.scene.xy[2 * point] - this.camera.x) * this.camera.scale + width / 2,
      height / 2 - (this.scene.xy[2 * point + 1] - this.camera.y) * this.camera.scale,
    ];
  }

  private listen(): void {
    const element = this.element;
    const at = (event: PointerEvent | WheelEvent | MouseEvent): [number, number] => {
      const box = element.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    let last: [number, number] | null = null;
    let first: [number, number] = [0, 0];
    let line: [number, number][] = [];
    let way = 0;
    const fingers = new Map<number, [number, number]>();
    element.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      element.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, at(event));
      first = last = at(event);
      line = [first];
      way = 0;
    });
    element.addEventListener("pointermove", (event) => {
      const now = at(event);
      if (!last) {
        this.hover(now);
        return;
      }
      way += Math.hypot(now[0] - last[0], now[1] - last[1]);
      if (fingers.size === 2) {
        const [[, p], [, q]] = [...fingers];
        const before = Math.hypot(p[0] - q[0], p[1] - q[1]);
        fingers.set(event.pointerId, now);
        const [[, r], [, s]] = [...fingers];
        this.zoom(Math.hypot(r[0] - s[0], r[1] - s[1]) / (before || 1), (r[0] + s[0]) / 2, (r[1] + s[1]) / 2);
        return;
      }
      if (this.mode === "pan") this.pan(now[0] - last[0], now[1] - last[1]);
      else {
        line = this.mode === "lasso" ? [...line, now] : [first, [now[0], first[1]], now, [first[0], now[1]]];
        this.path.setAttribute("d", `M${line.map((p) => p.join(" ")).join("L")}Z`);
      }
      last = now;
    });
    const end = (event: PointerEvent) => {
      fingers.delete(event.pointerId);
      if (!last) return;
      const now = at(event);
      // A lasso may end where it began.
      const still = way < 4;
      const [width, height] = this.size();
      if (still && event.type === "pointerup") {
        const point = this.scene.pick(this.camera, width, height, now[0], now[1], event.pointerType === "touch" ? 18 : 9, this.hidden);
        this.onPick(point);
      } else if (this.mode !== "pan" && line.length > 2) {
        this.select(this.scene.inside(this.camera, width, height, line, this.hidden));
      }
      this.path.setAttribute("d", "");
      last = null;
    };
    element.addEventListener("pointerup", end);
    element.addEventListener("pointercancel", end);
    element.addEventListener("pointerleave", () => (this.tip.hidden = true));
    element.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-Math.max(-60, Math.min(60, event.deltaY)) * 0.004), ...at(event));
    }, { passive: false });
    element.addEventListener("dblclick", (event) => this.zoom(2, ...at(event)));
    element.addEventListener("keydown", (event) => {
      const step = event.shiftKey ? 120 : 40;
      const keys: Record<string, () => void> = {
        ArrowLeft: () => this.pan(step, 0), ArrowRight: () => this.pan(-step, 0),
        ArrowUp: () => this.pan(0, step), ArrowDown: () => this.pan(0, -step),
        "+": () => this.zoom(1.3), "=": () => this.zoom(1.3), "-": () => this.zoom(1 / 1.3), "0": () => this.home(),
        Escape: () => this.select([]),
      };
      const act = keys[event.key];
      if (act && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        act();
      }
    });
  }

  private hovering = false;
  private hover(now: [number, number]): void {
    if (this.hovering) return;
    this.hovering = true;
    requestAnimationFrame(() => {
      this.hovering = false;
      const [width, height] = this.size();
      const point = this.scene.pick(this.camera, width, height, now[0], now[1], 7, this.hidden);
      this.tip.hidden = point < 0;
      if (point < 0) return;
      this.tip.replaceChildren(named(this.data.name(point)), h("span", {}, this.data.about.datasets[this.data.dataset[point]].name));
      this.tip.style.left = `${Math.min(now[0] + 12, width - 180)}px`;
      this.tip.style.top = `${Math.max(4, now[1] - 40)}px`;
    });
  }
}
