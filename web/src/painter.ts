// Draws a scene: by deck.gl where there is WebGL, otherwise on a plain canvas.

import { Deck, OrthographicView } from "@deck.gl/core";
import { BitmapLayer, LineLayer, ScatterplotLayer } from "@deck.gl/layers";
import type { Bounds, Camera } from "./scene";

export interface Picture {
  /** Points in the order in which they are drawn. */
  order: Uint32Array;
  xy: Float32Array;
  /** Four bytes per point, in the order of the points. */
  colours: Uint8Array;
  radius: number;
  /** Points that stand out, with a ring. */
  rings: number[];
  /** Two points per line. */
  lines: Uint32Array;
  lineColour: [number, number, number, number];
  shade: { image: HTMLCanvasElement; bounds: Bounds } | null;
  ink: [number, number, number];
  paper: [number, number, number];
  /** Which of these changed since the last picture. */
  version: { places: number; colours: number };
}

export interface Painter {
  readonly kind: "webgl" | "canvas";
  readonly canvas: HTMLCanvasElement;
  draw(picture: Picture, camera: Camera, moving: boolean): void;
  /** The picture as an address of an image, for printing. */
  snapshot(): string;
}

/** Points that are drawn while the picture moves, adapted to how long a frame takes. */
class Pace {
  private share = 1;
  private last = 0;
  private moved = false;
  next(n: number, moving: boolean): number {
    const now = performance.now();
    const took = now - this.last;
    // Only frames that follow each other tell how long one takes.
    if (moving && this.moved) this.share = Math.max(0.03, Math.min(1, this.share * Math.max(0.3, Math.min(1.2, 30 / took))));
    [this.last, this.moved] = [now, moving];
    return moving && n > 5000 ? Math.max(Math.min(n, 3000), Math.round(n * this.share)) : n;
  }
}

class DeckPainter implements Painter {
  readonly kind = "webgl";
  readonly canvas: HTMLCanvasElement;
  private deck: Deck<OrthographicView>;
  private pace = new Pace();
  private places = new Float32Array();
  private fills = new Uint8Array();
  private seen = { places: -1, colours: -1, order: null as Uint32Array | null };

  constructor(canvas: HTMLCanvasElement, failed: (why: string) => void) {
    this.canvas = canvas;
    this.deck = new Deck({
      canvas,
      views: new OrthographicView({ id: "plot", flipY: false }),
      controller: false,
      layers: [],
      viewState: { target: [0.5, 0.5, 0], zoom: 8 },
      useDevicePixels: Math.min(2, devicePixelRatio || 1),
      _typedArrayManagerProps: { overAlloc: 1, poolSize: 0 },
      onError: (error: Error) => failed(error.message),
    } as any);
  }

  draw(picture: Picture, camera: Camera, moving: boolean): void {
    const { order, xy, colours, version } = picture;
    const n = order.length;
    const reordered = this.seen.order !== order;
    if (reordered || this.seen.places !== version.places) {
      this.places = new Float32Array(3 * n);
      for (let k = 0; k < n; k++) {
        this.places[3 * k] = xy[2 * order[k]];
        this.places[3 * k + 1] = xy[2 * order[k] + 1];
      }
    }
    if (reordered || this.seen.colours !== version.colours) {
      this.fills = new Uint8Array(4 * n);
      for (let k = 0; k < n; k++) for (let c = 0; c < 4; c++) this.fills[4 * k + c] = colours[4 * order[k] + c];
    }
    this.seen = { places: version.places, colours: version.colours, order };
    const drawn = this.pace.next(n, moving);
    const layers: any[] = [];
    if (picture.shade) {
      const { x0, y0, x1, y1 } = picture.shade.bounds;
      layers.push(new BitmapLayer({ id: "shade", image: picture.shade.image, bounds: [x0, y0, x1, y1], opacity: 0.55 }));
    }
    if (picture.lines.length) {
      const ends = picture.lines;
      const flat = (first: number) => {
        const out = new Float32Array((ends.length / 2) * 3);
        for (let l = 0; l < ends.length / 2; l++) {
          out[3 * l] = xy[2 * ends[2 * l + first]];
          out[3 * l + 1] = xy[2 * ends[2 * l + first] + 1];
        }
        return out;
      };
      layers.push(
        new LineLayer({
          id: "lines",
          data: { length: ends.length / 2, attributes: { getSourcePosition: { value: flat(0), size: 3 }, getTargetPosition: { value: flat(1), size: 3 } } },
          getColor: picture.lineColour,
          getWidth: 1.2,
          widthUnits: "pixels",
        } as any),
      );
    }
    layers.push(
      new ScatterplotLayer({
        id: "points",
        data: { length: drawn, attributes: { getPosition: { value: this.places, size: 3 }, getFillColor: { value: this.fills, size: 4, normalized: true } } },
        getRadius: picture.radius,
        radiusUnits: "pixels",
        stroked: false,
        antialiasing: n < 30000,
      } as any),
    );
    if (picture.rings.length) {
      const ring = (p: number) => [xy[2 * p], xy[2 * p + 1], 0];
      layers.push(
        new ScatterplotLayer({
          id: "rings",
          data: picture.rings,
          getPosition: ring as any,
          getRadius: picture.radius + 4,
          radiusUnits: "pixels",
          filled: false,
          stroked: true,
          getLineColor: [...picture.ink, 255] as any,
          getLineWidth: 2,
          lineWidthUnits: "pixels",
          updateTriggers: { getPosition: [version.places, picture.rings.join()] },
        }),
      );
    }
    this.deck.setProps({
      layers,
      viewState: { target: [camera.x, camera.y, 0], zoom: Math.log2(camera.scale), minZoom: -20, maxZoom: 40 } as any,
    });
  }

  snapshot(): string {
    this.deck.redraw("print");
    return this.canvas.toDataURL("image/png");
  }
}

/** More points than this are written as pixels, one by one. */
const MANY = 20000;

class CanvasPainter implements Painter {
  readonly kind = "canvas";
  private pace = new Pace();
  private context: CanvasRenderingContext2D | null;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.context = canvas.getContext("2d", { willReadFrequently: true });
  }

  draw(picture: Picture, camera: Camera, moving: boolean): void {
    const { canvas, context } = this;
    if (!context) return;
    const ratio = picture.order.length > MANY ? 1 : Math.min(2, devicePixelRatio || 1);
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    if (!canvas.width || !canvas.height) return;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = `rgb(${picture.paper.join(" ")})`;
    context.fillRect(0, 0, width, height);
    const across = (x: number) => (x - camera.x) * camera.scale + width / 2;
    const down = (y: number) => height / 2 - (y - camera.y) * camera.scale;
    const { xy, order } = picture;
    if (picture.shade) {
      const { x0, y0, x1, y1 } = picture.shade.bounds;
      context.globalAlpha = 0.55;
      context.drawImage(picture.shade.image, across(x0), down(y1), across(x1) - across(x0), down(y0) - down(y1));
      context.globalAlpha = 1;
    }
    if (picture.lines.length) {
      const [r, g, b, a] = picture.lineColour;
      context.strokeStyle = `rgb(${r} ${g} ${b} / ${a / 255})`;
      context.lineWidth = 1.2;
      context.beginPath();
      for (let l = 0; l < picture.lines.length; l += 2) {
        const [p, q] = [picture.lines[l], picture.lines[l + 1]];
        context.moveTo(across(xy[2 * p]), down(xy[2 * p + 1]));
        context.lineTo(across(xy[2 * q]), down(xy[2 * q + 1]));
      }
      context.stroke();
    }
    const drawn = this.pace.next(order.length, moving);
    if (order.length > MANY) this.pixels(context, picture, camera, drawn);
    else this.discs(context, picture, across, down, drawn);
    context.strokeStyle = `rgb(${picture.ink.join(" ")})`;
    context.lineWidth = 2;
    for (const p of picture.rings) {
      context.beginPath();
      context.arc(across(xy[2 * p]), down(xy[2 * p + 1]), picture.radius + 4, 0, 2 * Math.PI);
      context.stroke();
    }
  }

  private discs(context: CanvasRenderingContext2D, picture: Picture, across: (x: number) => number, down: (y: number) => number, drawn: number): void {
    const { xy, colours, order, radius } = picture;
    let colour = -1;
    for (let k = 0; k < drawn; k++) {
      const p = order[k];
      if (colours[4 * p + 3] === 0) continue;
      const own = (colours[4 * p] << 24) | (colours[4 * p + 1] << 16) | (colours[4 * p + 2] << 8) | colours[4 * p + 3];
      if (own !== colour) {
        context.fillStyle = `rgb(${colours[4 * p]} ${colours[4 * p + 1]} ${colours[4 * p + 2]} / ${colours[4 * p + 3] / 255})`;
        colour = own;
      }
      context.beginPath();
      context.arc(across(xy[2 * p]), down(xy[2 * p + 1]), radius, 0, 2 * Math.PI);
      context.fill();
    }
  }

  /** Squares of three pixels, blended by hand. */
  private pixels(context: CanvasRenderingContext2D, picture: Picture, camera: Camera, drawn: number): void {
    const [width, height] = [this.canvas.width, this.canvas.height];
    const image = context.getImageData(0, 0, width, height);
    const { data } = image;
    const { xy, colours, order } = picture;
    const [ox, oy] = [width / 2 - camera.x * camera.scale, height / 2 + camera.y * camera.scale];
    for (let k = 0; k < drawn; k++) {
      const p = order[k];
      const alpha = colours[4 * p + 3];
      const x = Math.round(xy[2 * p] * camera.scale + ox);
      const y = Math.round(oy - xy[2 * p + 1] * camera.scale);
      if (alpha === 0 || x < 1 || y < 1 || x >= width - 1 || y >= height - 1) continue;
      const [r, g, b] = [colours[4 * p], colours[4 * p + 1], colours[4 * p + 2]];
      for (let row = y - 1; row <= y + 1; row++) {
        let at = 4 * (row * width + x - 1);
        for (let column = 0; column < 3; column++, at += 4) {
          data[at] += ((r - data[at]) * alpha) >> 8;
          data[at + 1] += ((g - data[at + 1]) * alpha) >> 8;
          data[at + 2] += ((b - data[at + 2]) * alpha) >> 8;
        }
      }
    }
    context.putImageData(image, 0, 0);
  }

  snapshot(): string {
    return this.canvas.toDataURL("image/png");
  }
}

/**
 * Whether to draw by WebGL. Where the processor does the work of a graphics card, many points are faster on a plain canvas.
 * `#canvas` and `#webgl` in the address decide otherwise.
 */
function byWebgl(n: number): boolean {
  if (location.hash === "#canvas") return false;
  try {
    const context = document.createElement("canvas").getContext("webgl2");
    if (!context) return false;
    const info = context.getExtension("WEBGL_debug_renderer_info");
    const name = String(context.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : context.RENDERER));
    context.getExtension("WEBGL_lose_context")?.loseContext();
    return location.hash === "#webgl" || n <= MANY || !/swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
  } catch {
    return false;
  }
}

/** A painter on a fresh canvas within the element. */
export function painter(parent: HTMLElement, n: number, failed: (why: string) => void): Painter {
  const fresh = (): HTMLCanvasElement => {
    const canvas = document.createElement("canvas");
    canvas.className = "points";
    parent.prepend(canvas);
    return canvas;
  };
  if (!byWebgl(n)) return new CanvasPainter(fresh());
  try {
    return new DeckPainter(fresh(), failed);
  } catch {
    parent.querySelector("canvas.points")?.remove();
    return new CanvasPainter(fresh());
  }
}

/** The plain canvas instead of what was there. */
export function plainPainter(parent: HTMLElement): Painter {
  parent.querySelectorAll("canvas.points").forEach((canvas) => canvas.remove());
  const canvas = document.createElement("canvas");
  canvas.className = "points";
  parent.prepend(canvas);
  return new CanvasPainter(canvas);
}
