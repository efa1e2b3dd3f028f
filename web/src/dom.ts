// Elements whose content is text. Nothing here takes markup.

export type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: any) => void)>;

/** Text of a file as it may stand in a page: no control characters, no overrides of direction. */
export function plain(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
}

/** An element. Functions become listeners, `true` an empty attribute; false and null none. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, String(value));
  }
  add(element, children);
  return element;
}

export function add(parent: Element, children: Child[]): void {
  for (const child of children) {
    if (child == null || child === false) continue;
    parent.append(child instanceof Node ? child : document.createTextNode(plain(String(child))));
  }
}

export function fill(parent: Element, ...children: Child[]): void {
  parent.replaceChildren();
  add(parent, children);
}

/** A name from a file, kept apart from the text around it whatever its direction. */
export function named(text: string): HTMLElement {
  return h("bdi", {}, text);
}

export const count = (n: number, word: string): string => `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;

/** A number in four digits. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (value !== 0 && (size < 1e-3 || size >= 1e6)) return value.toExponential(2);
  return String(Number(value.toPrecision(4)));
}

export const percent = (share: number): string => {
  const p = 100 * share;
  return `${p > 0 && p < 0.1 ? p.toFixed(2) : p < 10 || (p > 99 && p < 100) ? p.toFixed(1) : p.toFixed(0)} %`;
};

/** A table with a header; cells may be elements. */
export function table(caption: string, head: string[], rows: Child[][], numeric: number[] = []): HTMLElement {
  const cell = (tag: "td" | "th", at: number, child: Child) =>
    h(tag, { class: numeric.includes(at) ? "number" : null, scope: tag === "th" ? "col" : null }, child);
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    h(
      "table",
      {},
      h("caption", { class: "unseen" }, caption),
      h("thead", {}, h("tr", {}, ...head.map((text, at) => cell("th", at, text)))),
      h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row.map((child, at) => cell("td", at, child))))),
    ),
  );
}
