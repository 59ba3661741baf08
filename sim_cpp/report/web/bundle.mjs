// node bundle.mjs [DIRECTORY]: bundles src/ into DIRECTORY/report.js and writes DIRECTORY/LICENSES.txt, the licences of
// every package that the bundle has code of. node_modules must be beside this file: scripts/report_bundle works on a copy
// in the build folder.
import * as esbuild from "esbuild";
import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "dist");
mkdirSync(out, {recursive: true});
const result = await esbuild.build({
  entryPoints: [join(here, "src/main.js")],
  absWorkingDir: here,
  bundle: true,
  minify: true,
  format: "iife",
  target: ["es2020"],
  charset: "ascii",
  legalComments: "none",
  metafile: true,
  write: false,
});
// Inside an HTML file nothing may end the script early.
const code = result.outputFiles[0].text.replace(/<\/script/gi, "<\\/script").replace(/<!--/g, "<\\!--");
writeFileSync(join(out, "report.js"), code);

const packages = new Map();
for (const [input, {bytesInOutput}] of Object.entries(Object.values(result.metafile.outputs)[0].inputs)) {
  const match = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(input);
  if (match && bytesInOutput > 0) packages.set(match[2], join(here, match[1]));
}
let text = "report.js contains code of these packages.\n";
for (const [name, folder] of [...packages].sort((a, b) => (a[0] < b[0] ? -1 : 1))) {
  const {version, license} = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((f) => /^licen[cs]e/i.test(f));
  if (!file && !existsSync(join(folder, "README.md"))) throw new Error(`${name}: no licence text`);
  const licence = file ? readFileSync(join(folder, file), "utf8") : readFileSync(join(folder, "README.md"), "utf8").split(/^#+ *licen[cs]e.*$/im)[1] ?? "";
  if (!licence.trim()) throw new Error(`${name}: no licence text`);
  text += `\n${"=".repeat(78)}\n${name} ${version} (${license})\n${"=".repeat(78)}\n${licence.trim()}\n`;
}
writeFileSync(join(out, "LICENSES.txt"), text);
console.log(`report.js ${code.length} bytes, ${packages.size} packages`);
