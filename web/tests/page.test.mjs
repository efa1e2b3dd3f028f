// The pages in a browser: `node --test web/tests` with CHROMIUM and LANDBRIDGE naming the programs. Every control is used, and
// nothing from a file becomes more than text.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import axe from "axe-core";
import { chromium } from "playwright-core";
import { payloads } from "./payloads.mjs";

const folder = mkdtempSync(join(tmpdir(), "landbridge-pages-"));
const landbridge = (...args) => execFileSync(process.env.LANDBRIDGE ?? "landbridge", args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] }).toString();
const address = (name) => `file://${join(folder, name)}`;
let browser;

/** Words that a page shows for a payload. */
const plain = (text) => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
const quoted = (text) => `"${text.replaceAll('"', '""')}"`;

/** Two copies of a spiral as csv, with ids, labels and names of columns. */
function spiral(name, n, { ids, labels, columns = ["x", "y", "z"] }) {
  const head = ["id", ...columns, ...(labels ? ["label"] : [])].map(quoted).join(",");
  const lines = Array.from({ length: n }, (_, i) => {
    const t = (4 * Math.PI * i) / n;
    const values = [t * Math.cos(t), t * Math.sin(t), Math.sin(3 * t)].map((v) => v.toFixed(6));
    return [quoted(ids(i)), ...values, ...(labels ? [quoted(labels(i))] : [])].join(",");
  });
  writeFileSync(join(folder, name), `${head}\n${lines.join("\n")}\n`);
}

before(async () => {
  landbridge("demo", "-q");
  const rows = Math.max(200, payloads.length);
  const at = (i) => payloads[i % payloads.length];
  spiral("left.csv", rows, { ids: (i) => `${at(i)} #${i}`, labels: (i) => at(i + 3), columns: payloads.slice(0, 3).map((p, i) => `${p.replace(/[\r\n]/g, " ")}${i}`) });
  spiral("right.csv", rows, { ids: (i) => `${at(i)} #${i}`, labels: (i) => at(i + 3), columns: payloads.slice(3, 6).map((p, i) => `${p.replace(/[\r\n]/g, " ")}${i}`) });
  const pairs = Array.from({ length: 40 }, (_, i) => `${5 * i},${5 * i}`);
  // Names of datasets come from the command line.
  const names = ["</script><script>alert(1)</script>", "<img src=x onerror=alert(2)>"];
  writeFileSync(join(folder, "pairs.csv"), `${names.map(quoted).join(",")}\n${pairs.map((p) => p.split(",").map((i) => quoted(`${at(+i)} #${i}`)).join(",")).join("\n")}\n`);
  landbridge("fit", "procrustes", "--embedding", "none", "--names", names.join(","), "--labels-column", "label", "--pairs", "pairs.csv", "left.csv", "right.csv", "-o", "hostile.lb", "-q");
  writeFileSync(join(folder, "texts.txt"), Array.from({ length: rows }, (_, i) => at(i).replace(/[\r\n\u2028\u2029\u0085]/g, " ")).join("\n") + "\n");
  landbridge("report", "hostile.lb", "-o", "hostile.html", "--title", payloads[0], "--texts", "texts.txt,texts.txt", "--labels-column", "label", "-q", "--data", "left.csv", "right.csv");
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--enable-unsafe-swiftshader"],
  });
}, { timeout: 120_000 });
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A page that reports everything it must not do. */
async function open(name, options = {}, hash = "") {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  const bad = [];
  page.on("dialog", (dialog) => {
    bad.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("pageerror", (error) => bad.push(`error ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(address(name)) && !/^(data|blob):/.test(request.url())) bad.push(`request ${request.url()}`);
  });
  page.on("console", (message) => message.type() === "error" && bad.push(`console ${message.text()}`));
  await page.addInitScript(() => document.addEventListener("securitypolicyviolation", (event) => console.error(`policy ${event.violatedDirective} ${event.blockedURI}`)));
  await page.goto(address(name) + hash);
  // The first picture and the rest of the page come in either order.
  await page.waitForFunction(() => document.documentElement.dataset.complete && document.documentElement.dataset.ready, null, { timeout: 30_000 });
  return { page, bad, close: () => context.close() };
}

/** Colours of the picture that are not its background. */
const painted = (page) => page.evaluate(async () => {
  const image = new Image();
  image.src = landbridge.plot.snapshot();
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width, image.height];
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  const colours = new Set();
  for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 60) colours.add((data[i] >> 5) * 64 + (data[i + 1] >> 5) * 8 + (data[i + 2] >> 5));
  return colours.size;
});

const tool = (page, label) => page.locator(".tools label", { hasText: label }).locator("select");
const values = (select) => select.evaluate((s) => [...s.options].map((o) => o.value));
const settle = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 60)))));

test("every control works", { timeout: 120_000 }, async () => {
  const { page, bad, close } = await open("demo.html", { reducedMotion: "reduce" });
  const used = new Set();
  const use = async (locator, act) => {
    used.add(await locator.evaluate((e) => e.getAttribute("aria-label") || e.closest("label")?.innerText.split("\n")[0] || e.textContent));
    await act(locator);
    await settle(page);
  };
  assert.ok((await painted(page)) > 5, "points of several labels");
  // Views, with all their axes.
  const view = tool(page, "View");
  const views = await values(view);
  assert.deepEqual(views, ["components", "components:3", "pca", "pca:3", "layout"]);
  for (const value of [...views, "components"]) await use(view, (v) => v.selectOption(value));
  const where = () => page.evaluate(() => [...landbridge.plot.scene.xy.slice(0, 40)]);
  const placed = await where();
  await use(tool(page, "Across"), (s) => s.selectOption("3"));
  await use(tool(page, "Up"), (s) => s.selectOption("5"));
  assert.notDeepEqual(await where(), placed);
  await use(view, (v) => v.selectOption("components:3"));
  await use(tool(page, "Deep"), (s) => s.selectOption("4"));
  const turned = await where();
  const plot = page.locator(".plot");
  const box = await plot.boundingBox();
  /** A place of the plot on the page; the plot moves when a view has other tools. */
  const at = async (x, y) => {
    const now = await plot.boundingBox();
    return [now.x + x, now.y + y];
  };
  const drag = async (points) => {
    await page.mouse.move(...(await at(...points[0])));
    await page.mouse.down();
    for (const point of points.slice(1)) await page.mouse.move(...(await at(...point)), { steps: 4 });
    await page.mouse.up();
    await settle(page);
  };
  await drag([[300, 300], [380, 320]]);
  assert.notDeepEqual(await where(), turned, "dragging turns the view in three dimensions");
  // Colours: words, numbers, density.
  const colour = tool(page, "Colour");
  const looks = new Set();
  for (const value of await values(colour)) {
    await use(colour, (c) => c.selectOption(value));
    looks.add(await page.evaluate(() => landbridge.plot.picture.colours.slice(0, 400).join()));
  }
  assert.ok(looks.size > 20, `${looks.size} different colourings`);
  await use(colour, (c) => c.selectOption("word:0"));
  // Lines.
  const lines = tool(page, "Lines");
  assert.deepEqual(await values(lines), ["none", "matched", "wrong"]);
  await use(lines, (l) => l.selectOption("matched"));
  assert.match(await page.locator(".status").innerText(), /9\d\d pairs of rows/);
  await use(lines, (l) => l.selectOption("wrong"));
  assert.match(await page.locator(".status").innerText(), /^\d of 2,000 rows/);
  // Before and after.
  await use(view, (v) => v.selectOption("layout"));
  await use(page.locator(".blend input"), (s) => s.fill("0"));
  assert.match(await page.locator(".corner").innerText(), /before: english/);
  await use(page.getByRole("button", { name: "Play" }), (b) => b.click());
  assert.equal(await page.locator(".blend input").inputValue(), "100", "without motion, Play jumps");
  // Selection by box, lasso, legend; table and export.
  await use(page.getByRole("button", { name: "Box" }), (b) => b.click());
  await drag([[5, 5], [box.width - 5, box.height - 5]]);
  assert.match(await page.locator(".selection h2").innerText(), /2,000 rows selected/);
  await use(page.getByRole("button", { name: "Lasso" }), (b) => b.click());
  await drag([[40, 40], [box.width - 40, 40], [box.width / 2, box.height - 40], [40, 40]]);
  const some = Number((await page.locator(".selection h2").innerText()).replace(/\D/g, ""));
  assert.ok(some > 20 && some < 2000, `${some} in the lasso`);
  await use(page.locator(".legend button").first(), (b) => b.click());
  assert.match(await page.locator(".selection h2").innerText(), /452 rows selected/);
  const [download] = await Promise.all([page.waitForEvent("download"), use(page.getByRole("button", { name: "Export CSV" }), (b) => b.click())]);
  const csv = readFileSync(await download.path(), "utf8").trim().split("\r\n");
  assert.equal(csv.length, 453);
  assert.match(csv[0], /^dataset,row,id,label,nearest_dataset,nearest_id,/);
  await use(page.locator(".selection .row").first(), (b) => b.click());
  await use(page.getByRole("button", { name: "Clear" }), (b) => b.click());
  await use(page.getByRole("button", { name: "Move" }), (b) => b.click());
  // A row: by search, by a click, by its partner.
  await use(page.locator("input[type=search]"), (s) => s.fill("Gen 6:11"));
  await page.locator(".results .row").first().waitFor();
  await use(page.locator(".results .row").first(), (b) => b.click());
  assert.equal(await page.locator(".details h2").innerText(), "Gen 6:11–20");
  const partner = page.locator(".details table .row").first();
  assert.equal((await partner.innerText()).trim(), "1Mo 6,11–20");
  await use(partner, (b) => b.click());
  assert.equal(await page.locator(".details h2").innerText(), "1Mo 6,11–20");
  await use(page.locator("input[type=search]"), (s) => s.fill("ark"));
  await page.locator(".results .all").waitFor();
  await use(page.locator(".results .all"), (b) => b.click());
  assert.ok(await page.evaluate(() => landbridge.plot.selected.length > 1));
  const [x, y] = await page.evaluate(() => landbridge.plot.screen(17));
  await page.mouse.click(...(await at(x, y)));
  await settle(page);
  assert.notEqual(await page.locator(".details h2").innerText(), "1Mo 6,11–20");
  await page.mouse.move(...(await at(x + 1, y)));
  await page.locator(".tip:not([hidden])").waitFor();
  // Zoom: buttons, wheel, double click, keys.
  const scale = () => page.evaluate(() => landbridge.plot.camera.scale);
  const home = await scale();
  await use(page.getByRole("button", { name: "Zoom in" }), (b) => b.click());
  assert.ok((await scale()) > home);
  await use(page.getByRole("button", { name: "Zoom out" }), (b) => b.click());
  await page.mouse.move(...(await at(200, 200)));
  await page.mouse.wheel(0, -300);
  await page.mouse.dblclick(...(await at(3, 3)));
  await plot.focus();
  const keys = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "+", "-", "Escape"];
  for (const key of keys) {
    const camera = await page.evaluate(() => JSON.stringify(landbridge.plot.camera));
    await page.keyboard.press(key);
    if (key !== "Escape") assert.notEqual(await page.evaluate(() => JSON.stringify(landbridge.plot.camera)), camera, key);
  }
  assert.equal(await page.evaluate(() => landbridge.plot.selected.length), 0, "Escape clears the selection");
  await use(page.getByRole("button", { name: "Reset" }), (b) => b.click());
  assert.equal(await scale(), home);
  // Datasets, theme, notes, numbers, parameters.
  for (const name of ["english", "german"]) {
    const check = page.getByRole("checkbox", { name });
    await use(check, (c) => c.uncheck());
    assert.ok(await page.evaluate(() => landbridge.plot.hidden.some((v) => v)));
    await use(check, (c) => c.check());
  }
  await use(page.locator(".theme"), (b) => b.click());
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  for (const summary of await page.locator("summary").all()) await use(summary, (s) => s.click());
  // Nothing is left that this test does not know.
  const unused = await page.evaluate(() => [...document.querySelectorAll("button:not(.row):not(.legend button), select, input")]
    .map((e) => e.getAttribute("aria-label") || e.closest("label")?.innerText.split("\n")[0] || e.textContent));
  assert.deepEqual(unused.filter((name) => !used.has(name) && !/^(Light|Dark)$/.test(name) && !name.startsWith("Select all")), []);
  assert.deepEqual(bad, []);
  await close();
});

test("Play moves from before to after", { timeout: 60_000 }, async () => {
  const { page, bad, close } = await open("demo.html", { reducedMotion: "no-preference" });
  await page.getByRole("button", { name: "Play" }).click();
  await page.waitForFunction(() => landbridge.plot.scene.blend > 0.1 && landbridge.plot.scene.blend < 0.9);
  await page.waitForFunction(() => landbridge.plot.scene.blend === 1);
  assert.deepEqual(bad, []);
  await close();
});

test("names of files, columns, ids and labels are text", { timeout: 120_000 }, async () => {
  assert.ok(payloads.length >= 200, `${payloads.length} payloads`);
  const { page, bad, close } = await open("hostile.html");
  assert.equal(await page.title(), plain(payloads[0]).trim());
  for (const kind of ["dataset", "word:0", "number:0", "number:3"]) await tool(page, "Colour").selectOption(kind);
  await tool(page, "Colour").selectOption("word:0");
  const shown = await page.evaluate(async (n) => {
    const out = [];
    for (let p = 0; p < n; p++) {
      await landbridge.plot.onPick(p);
      await new Promise((done) => setTimeout(done));
      out.push([document.querySelector(".details h2").textContent, document.querySelector(".details blockquote")?.textContent ?? ""]);
    }
    return out;
  }, payloads.length);
  const cut = (text) => (Array.from(text).length > 120 ? `${Array.from(text).slice(0, 120).join("")}…` : text);
  const wrong = shown.flatMap(([name], i) => (name === plain(cut(`${payloads[i]} #${i}`)) ? [] : [[name, payloads[i].slice(0, 200)]]));
  assert.deepEqual(wrong, [], "every id is shown as it is");
  for (const text of ["script", "onerror", "javascript"]) {
    await page.locator("input[type=search]").fill(text);
    await page.locator(".results .row").first().waitFor();
    await page.locator(".results .row").first().click();
  }
  await page.locator(".legend button").first().click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export CSV" }).click()]);
  assert.ok(!/(^|,)[=+@]/m.test(readFileSync(await download.path(), "utf8")), "no cell begins a formula");
  const scripts = await page.evaluate(() => [...document.querySelectorAll("script:not([type])")].length);
  const strange = await page.evaluate(() => [...document.querySelectorAll("*")].filter((e) => [...e.attributes].some((a) => a.name.startsWith("on"))).length
    + document.querySelectorAll("iframe, object, embed, form[action], base, meta[http-equiv=refresh], svg script, svg image").length);
  assert.deepEqual([scripts, strange], [1, 0]);
  assert.deepEqual(bad, []);
  await close();
});

test("nothing keeps anyone out", { timeout: 120_000 }, async () => {
  for (const [options, name] of [[{ colorScheme: "light" }, "light"], [{ colorScheme: "dark" }, "dark"], [{ colorScheme: "light", viewport: { width: 375, height: 800 } }, "phone"]]) {
    const { page, bad, close } = await open("demo.html", options);
    await page.evaluate(() => landbridge.plot.onPick(5));
    await page.locator(".legend button").first().click();
    await settle(page);
    // The page allows only its own script, so that the checker comes in by the debugger.
    await page.evaluate(axe.source);
    const found = await page.evaluate(() => globalThis.axe.run(document));
    const serious = found.violations.filter((v) => ["serious", "critical"].includes(v.impact));
    assert.deepEqual(serious.map((v) => `${v.id}: ${v.nodes[0].html.slice(0, 200)}`), [], name);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `${name}: the page is ${wide} pixels too wide`);
    assert.deepEqual(bad, []);
    await close();
  }
});

test("a plain canvas, paper, few rows, no rows, and a frame", { timeout: 120_000 }, async () => {
  const canvas = await open("demo.html", {}, "#canvas");
  assert.equal(await canvas.page.evaluate(() => document.documentElement.dataset.ready), "canvas");
  await tool(canvas.page, "Lines").selectOption("matched");
  await settle(canvas.page);
  assert.ok((await painted(canvas.page)) > 5);
  await canvas.page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await canvas.page.emulateMedia({ media: "print" });
  assert.ok(await canvas.page.locator(".printed").isVisible());
  assert.deepEqual(canvas.bad, []);
  await canvas.close();

  spiral("a.csv", 3, { ids: (i) => `a${i}` });
  spiral("b.csv", 3, { ids: (i) => `b${i}` });
  writeFileSync(join(folder, "three.csv"), "a,b\na0,b0\na1,b1\na2,b2\n");
  landbridge("fit", "procrustes", "--embedding", "none", "--pairs", "three.csv", "a.csv", "b.csv", "-o", "three.lb", "-q");
  landbridge("report", "three.lb", "-o", "three.html", "-q");
  const three = await open("three.html");
  await three.page.evaluate(() => landbridge.plot.onPick(4));
  await settle(three.page);
  assert.equal(await three.page.locator(".details h2").innerText(), "b1");
  assert.deepEqual(three.bad, []);
  await three.close();

  const page = readFileSync(join(folder, "demo.html"), "utf8").replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  writeFileSync(join(folder, "frame.html"), `<!doctype html><iframe sandbox="allow-scripts allow-downloads" width="1200" height="800" srcdoc="${page}"></iframe>`);
  const context = await browser.newContext();
  const outer = await context.newPage();
  const errors = [];
  outer.on("pageerror", (error) => errors.push(error.message));
  await outer.goto(address("frame.html"));
  const inner = outer.frames()[1];
  await inner.waitForFunction(() => document.documentElement.dataset.complete, null, { timeout: 30_000 });
  assert.deepEqual(errors, []);
  await context.close();
});
