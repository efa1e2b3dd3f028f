// Colours of points: few words, or a number on a scale that readers with any colour vision can follow.

type Rgb = [number, number, number];

// Okabe and Ito's colours and five more, those that differ most first; lighter ones for dark paper.
const LIGHT: Rgb[] = [
  [0, 114, 178], [213, 94, 0], [0, 158, 115], [204, 121, 167], [230, 159, 0], [86, 180, 233],
  [60, 60, 60], [148, 103, 60], [123, 63, 160], [150, 160, 30],
];
const DARK: Rgb[] = [
  [86, 170, 232], [255, 138, 61], [47, 201, 155], [232, 160, 202], [247, 194, 78], [158, 218, 250],
  [216, 219, 224], [205, 163, 122], [187, 143, 224], [205, 214, 92],
];
/** Words that have a colour of their own; the others are grey. */
export const COLOURED = LIGHT.length;

// Viridis at ten places (Smith, van der Walt 2015).
const SCALE: Rgb[] = [
  [68, 1, 84], [72, 40, 120], [62, 74, 137], [49, 104, 142], [38, 130, 142],
  [31, 158, 137], [53, 183, 121], [110, 206, 88], [181, 222, 43], [253, 231, 37],
];

export const isDark = (): boolean => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};

export const grey = (): Rgb => (isDark() ? [110, 118, 129] : [176, 182, 189]);

export function ofWord(position: number): Rgb {
  const palette = isDark() ? DARK : LIGHT;
  return position >= 0 && position < palette.length ? palette[position] : grey();
}

/** A share from 0 to 1. */
export function ofShare(share: number): Rgb {
  if (!(share >= 0)) return grey();
  const at = Math.min(share, 1) * (SCALE.length - 1);
  const i = Math.min(Math.floor(at), SCALE.length - 2);
  const t = at - i;
  return [0, 1, 2].map((c) => Math.round(SCALE[i][c] * (1 - t) + SCALE[i + 1][c] * t)) as Rgb;
}

export const css = (c: Rgb): string => `rgb(${c[0]} ${c[1]} ${c[2]})`;

/** Shares that spread the values over the scale: by value, cut at the extreme half per cent. */
export function shares(values: Float32Array): { share: Float32Array; low: number; high: number } {
  const finite = Array.from(values.length > 20000 ? values.filter((_, i) => i % 7 === 0) : values).filter(Number.isFinite);
  finite.sort((a, b) => a - b);
  const at = (q: number) => finite[Math.min(finite.length - 1, Math.floor(q * (finite.length - 1)))] ?? 0;
  const [low, high] = finite.length > 200 ? [at(0.005), at(0.995)] : [at(0), at(1)];
  const share = new Float32Array(values.length);
  for (let i = 0; i < values.length; i++) {
    share[i] = Number.isFinite(values[i]) ? (high > low ? Math.max(0, Math.min(1, (values[i] - low) / (high - low))) : 0.5) : NaN;
  }
  return { share, low, high };
}

/** How crowded it is around each point, from 0 to 1. */
export function density(xy: Float32Array, n: number): Float32Array {
  const side = 128;
  const cells = new Float32Array(side * side);
  const cell = (i: number) => {
    const x = Math.max(0, Math.min(side - 1, Math.floor(xy[2 * i] * side)));
    const y = Math.max(0, Math.min(side - 1, Math.floor(xy[2 * i + 1] * side)));
    return y * side + x;
  };
  for (let i = 0; i < n; i++) cells[cell(i)]++;
  // Each cell with its neighbours, so that cells have no edges.
  const smooth = new Float32Array(side * side);
  let most = 0;
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      let sum = 0;
      for (let v = Math.max(0, y - 1); v <= Math.min(side - 1, y + 1); v++) {
        for (let u = Math.max(0, x - 1); u <= Math.min(side - 1, x + 1); u++) sum += cells[v * side + u];
      }
      smooth[y * side + x] = sum;
      most = Math.max(most, sum);
    }
  }
  const out = new Float32Array(n);
  for (let i = 0; i < n; i++) out[i] = Math.log1p(smooth[cell(i)]) / Math.log1p(most || 1);
  return out;
}
