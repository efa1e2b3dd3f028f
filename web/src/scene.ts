// Where every point lies on the unit square: a view of the joint space, the datasets before, and the way between them.

import type { Data, ViewAbout } from "./data";

export interface Camera {
  /** Centre, in units. */
  x: number;
  y: number;
  /** Pixels per unit. */
  scale: number;
  /** Turn of the view in three dimensions, in radians. */
  yaw: number;
  pitch: number;
}

export interface Bounds {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** Values of one axis between 0 and 1; the extreme ones may lie outside if they are far from all others. */
function normal(values: Float32Array): { low: number; span: number } {
  const some: number[] = [];
  const stride = Math.max(1, Math.floor(values.length / 20000));
  for (let i = 0; i < values.length; i += stride) if (Number.isFinite(values[i])) some.push(values[i]);
  some.sort((a, b) => a - b);
  if (some.length === 0) return { low: 0, span: 1 };
  let [low, high] = [some[0], some[some.length - 1]];
  const at = (q: number) => some[Math.round(q * (some.length - 1))];
  const [near, far] = [at(0.005), at(0.995)];
  if (high - low > 3 * (far - near) && far > near) [low, high] = [near - 0.1 * (far - near), far + 0.1 * (far - near)];
  return { low, span: high > low ? high - low : 1 };
}

/** Coordinates on the unit square (and a third about its middle); `square` keeps units equally long. */
function placed(axes: (Float32Array | null)[], n: number, square: boolean): { xyz: Float32Array; box: number[] } {
  const scales = axes.map((values) => (values ? normal(values) : { low: -0.5, span: 1 }));
  const longest = Math.max(...scales.map((s, c) => (axes[c] ? s.span : 0)));
  const xyz = new Float32Array(3 * n);
  const box: number[] = [];
  scales.forEach((scale, c) => {
    const span = square ? longest : scale.span;
    const offset = 0.5 - (scale.low + 0.5 * scale.span) / span;
    box.push(offset, 1 / span);
    const values = axes[c];
    for (let i = 0; i < n; i++) xyz[3 * i + c] = values && Number.isFinite(values[i]) ? values[i] / span + offset : 0.5;
  });
  return { xyz, box };
}

export class Scene {
  /** Places on the screen plane, two per point; they follow blend and camera. */
  readonly xy: Float32Array;
  private after: Float32Array;
  private beforeXy: Float32Array | null = null;
  /** How values of the axes became units: offset and factor for each. */
  box: number[] = [];
  blend = 1;
  three = false;
  /** Width of the picture by its height: views whose axes have scales of their own fill it. */
  aspect = 1;

  constructor(readonly data: Data) {
    this.xy = new Float32Array(2 * data.n);
    this.after = new Float32Array(3 * data.n);
  }

  async show(view: ViewAbout, axes: number[], three: boolean): Promise<void> {
    const chosen = three ? axes : axes.slice(0, 2);
    const values = await Promise.all(chosen.map((at) => (at < view.axes.length ? this.data.axis(view.axes[at]) : null)));
    if (values.length === 1 || view.axes.length === 1) {
      // One component: a line per dataset.
      const c = Math.max(1, this.data.about.datasets.length - 1);
      values[1] = Float32Array.from(this.data.dataset, (a) => a / c);
    }
    if (values.length < 3) values.push(null);
    const { xyz, box } = placed(values, this.data.n, view.square);
    if (!view.square && !three) {
      for (let i = 0; i < this.data.n; i++) xyz[3 * i] = 0.5 + (xyz[3 * i] - 0.5) * this.aspect;
      box[0] = 0.5 + (box[0] - 0.5) * this.aspect;
      box[1] *= this.aspect;
    }
    this.after = xyz;
    this.box = box;
    this.three = three;
  }

  /** Whether at least one dataset can be shown before alignment. */
  hasBefore(): boolean {
    return this.data.about.before.some(Boolean);
  }

  /** Datasets side by side, each as it was. */
  async loadBefore(): Promise<void> {
    if (this.beforeXy || !this.hasBefore()) return;
    const { about, starts } = this.data;
    const out = new Float32Array(2 * this.data.n).fill(0.5);
    const c = about.datasets.length;
    const across = c <= 3 ? c : Math.ceil(Math.sqrt(c));
    const down = Math.ceil(c / across);
    for (let a = 0; a < c; a++) {
      const side = about.before[a];
      const n = starts[a + 1] - starts[a];
      const [left, top] = [a % across, Math.floor(a / across)];
      if (!side) {
        for (let p = starts[a]; p < starts[a + 1]; p++) out.set([0.5 + this.aspect * ((left + 0.5) / across - 0.5), 1 - (top + 0.5) / down], 2 * p);
        continue;
      }
      const [x, y] = await Promise.all(side.map((axis) => this.data.axis(axis)));
      const { xyz } = placed([x, y, null], n, true);
      // A gap of a tenth between datasets; units stay equally long.
      const size = 0.9 * Math.min(this.aspect / across, 1 / down);
      for (let i = 0; i < n; i++) {
        out[2 * (starts[a] + i)] = 0.5 + this.aspect * ((left + 0.5) / across - 0.5) + size * (xyz[3 * i] - 0.5);
        out[2 * (starts[a] + i) + 1] = 1 - (top + 0.5) / down + size * (xyz[3 * i + 1] - 0.5);
      }
    }
    this.beforeXy = out;
  }

  /** Computes the places for the present blend and turn. */
  place(camera: Camera): void {
    const { xy, after, beforeXy } = this;
    const n = this.data.n;
    const t = beforeXy ? this.blend * this.blend * (3 - 2 * this.blend) : 1;
    const [cy, sy, cp, sp] = [Math.cos(camera.yaw), Math.sin(camera.yaw), Math.cos(camera.pitch), Math.sin(camera.pitch)];
    for (let i = 0; i < n; i++) {
      let [x, y] = [after[3 * i], after[3 * i + 1]];
      if (this.three) {
        const [u, v, w] = [x - 0.5, y - 0.5, after[3 * i + 2] - 0.5];
        const across = cy * u + sy * w;
        const deep = -sy * u + cy * w;
        const up = cp * v - sp * deep;
        const away = sp * v + cp * deep;
        // A little perspective tells near from far.
        const factor = 1 / (1 + 0.35 * away);
        x = 0.5 + across * factor;
        y = 0.5 + up * factor;
      }
      if (t < 1 && beforeXy) {
        x = beforeXy[2 * i] * (1 - t) + x * t;
        y = beforeXy[2 * i + 1] * (1 - t) + y * t;
      }
      xy[2 * i] = x;
      xy[2 * i + 1] = y;
    }
  }

  /** A camera that shows the unit square. */
  home(width: number, height: number): Camera {
    const fits = Math.min(height, width / Math.max(this.aspect, 1e-3));
    return { x: 0.5, y: 0.5, scale: Math.max(1, (this.three || this.aspect < 1 ? Math.min(width, height) : fits) * 0.9), yaw: 0.6, pitch: 0.35 };
  }

  /** The point nearest to a place on the screen, within some pixels; -1 if none is. */
  pick(camera: Camera, width: number, height: number, px: number, py: number, reach: number, hidden: Uint8Array): number {
    const x = (px - width / 2) / camera.scale + camera.x;
    const y = (height / 2 - py) / camera.scale + camera.y;
    let best = -1;
    let nearest = (reach / camera.scale) ** 2;
    for (let i = 0; i < this.data.n; i++) {
      const [dx, dy] = [this.xy[2 * i] - x, this.xy[2 * i + 1] - y];
      const squared = dx * dx + dy * dy;
      if (squared <= nearest && !hidden[i]) [nearest, best] = [squared, i];
    }
    return best;
  }

  /** Points within a closed line on the screen. */
  inside(camera: Camera, width: number, height: number, line: [number, number][], hidden: Uint8Array): number[] {
    const path = line.map(([px, py]) => [(px - width / 2) / camera.scale + camera.x, (height / 2 - py) / camera.scale + camera.y]);
    const found: number[] = [];
    for (let i = 0; i < this.data.n; i++) {
      if (hidden[i]) continue;
      const [x, y] = [this.xy[2 * i], this.xy[2 * i + 1]];
      let odd = false;
      for (let a = 0, b = path.length - 1; a < path.length; b = a++) {
        const [[xa, ya], [xb, yb]] = [path[a], path[b]];
        if (ya > y !== yb > y && x < ((xb - xa) * (y - ya)) / (yb - ya) + xa) odd = !odd;
      }
      if (odd) found.push(i);
    }
    return found;
  }
}
