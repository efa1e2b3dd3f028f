// Bundles the viewer into crates/landbridge-report/assets, with a stamp of the sources it was made of.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const assets = join(here, "../crates/landbridge-report/assets");

const result = await build({
  absWorkingDir: here,
  entryPoints: { viewer: "src/main.ts" },
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  legalComments: "none",
  charset: "utf8",
  outdir: assets,
  write: false,
  metafile: true,
});
const texts = Object.fromEntries(result.outputFiles.map((file) => [file.path.endsWith(".css") ? "css" : "js", file.text]));

// The script stands between tags, so that the end of a script must not occur in it. The library's own service worker of
// shader names and addresses of documentation are text that is never fetched.
const script = texts.js.replace(/<\/(script)/gi, "<\\/$1").replace(/<!--/g, "<\\!--");
const licences = [...new Set(Object.keys(result.metafile.inputs).map((path) => path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1]).filter(Boolean))]
  .sort()
  .map((name) => {
    const about = JSON.parse(readFileSync(join(here, "node_modules", name, "package.json"), "utf8"));
    return `${name} ${about.version} ${about.license}`;
  });
writeFileSync(join(assets, "viewer.js"), `/*! ${licences.join("; ")} */\n${script}`);
writeFileSync(join(assets, "viewer.css"), texts.css);

// The same hash as in crates/landbridge-report/tests/stamp.rs.
const sources = ["build.mjs", "package-lock.json", "package.json", "tsconfig.json"].concat(
  readdirSync(join(here, "src")).sort().map((name) => `src/${name}`),
);
const hash = createHash("sha256");
for (const name of sources) hash.update(`${name}\n`).update(readFileSync(join(here, name)));
writeFileSync(join(assets, "viewer.stamp"), `${hash.digest("hex")}\n`);
console.log(`viewer.js ${script.length} bytes, viewer.css ${texts.css.length} bytes`);
