// node report_browser.mjs CHROMIUM PAGE.html SCREENSHOTS [OTHER.html]: without SCREENSHOTS ("") looks at the page once,
// light and wide. Else opens the page from disk in headless Chromium,
// light and dark, 1400 and 390 pixels wide and printed, saves a chart, sorts and filters a table, and prints what it saw
// as JSON. The time to open it is taken in turn with that of the other page. Runs from a folder with playwright-core.
import {chromium} from "playwright-core";
import {readFileSync} from "node:fs";
import {pathToFileURL} from "node:url";

const [program, file, pictures, other] = process.argv.slice(2);
const address = pathToFileURL(file).href;
const browser = await chromium.launch({executablePath: program, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]});
const seen = {errors: [], requests: [], open_ms: [], other_ms: [], views: {}};

async function open(name, options, from = address) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.on("console", (m) => ["error", "warning"].includes(m.type()) && seen.errors.push(`${name}: ${m.text()}`));
  page.on("pageerror", (e) => seen.errors.push(`${name}: ${e}`));
  page.on("request", (r) => r.url() !== from && seen.requests.push(`${name}: ${r.url().slice(0, 200)}`));
  await page.goto(from);
  await page.waitForSelector("html[data-ready]", {state: "attached", timeout: 300000});
  return {context, page};
}

const look = () => {
  const view = {width: document.documentElement.scrollWidth, sections: {}, background: getComputedStyle(document.body).backgroundColor};
  const shape = (m) => `${m.tagName} ${m.getAttribute("d") ?? m.getAttribute("r")}`;
  for (const section of document.querySelectorAll("section")) {
    const marks = [...section.querySelectorAll(".plot [aria-label]")].filter((m) => / [^ ]/.test(m.getAttribute("aria-label")) && ["rect", "circle", "path"].includes(m.tagName));
    const box = (m) => m.getBoundingClientRect();
    view.sections[section.id] = {
      charts: [...section.querySelectorAll("figure > .plot")].map((p) => p.querySelectorAll("svg rect, svg circle, svg path").length),
      captions: [...section.querySelectorAll("figure > figcaption")].map((c) => c.textContent),
      labels: [...section.querySelectorAll("figure > .plot > svg")].map((s) => s.getAttribute("role") === "img" && s.getAttribute("aria-label")),
      legends: [...section.querySelectorAll("figure > .plot")].map((p) => ({words: [...p.querySelectorAll(".legend text")].map((t) => t.textContent),
        symbols: [...p.querySelectorAll(".legend [aria-label^='legend ']")].map(shape)})),
      symbols: [...section.querySelectorAll("figure > .plot")].map((p) => [...new Set([...p.querySelectorAll("svg svg:not(.legend) circle, svg svg:not(.legend) path[d]")].map(shape))]),
      ticks: [...section.querySelectorAll(".plot [aria-label$='tick label']")].map((g) => [...g.querySelectorAll("text")].map((t) => t.textContent)),
      texts: [...section.querySelectorAll("figure > .plot")].map((p) => [...p.querySelectorAll("svg text")].map((t) => t.textContent)),
      notes: [...section.querySelectorAll("p.note")].map((n) => n.textContent),
      buttons: [...section.querySelectorAll("figure .savers")].map((p) => [...p.querySelectorAll("button")].map((b) => b.textContent)),
      whiskers: section.querySelectorAll(".plot [aria-label^='whisker ']").length,
      marks: marks.filter((m) => !m.getAttribute("aria-label").startsWith("legend ")).map((m) => ({label: m.getAttribute("aria-label"), width: box(m).width,
        height: box(m).height, top: box(m).top, left: box(m).left, fill: m.getAttribute("fill"), inside: box(m).left >= 0 && box(m).right <= innerWidth,
        pale: Number(m.getAttribute("fill-opacity") ?? 1) < 1})),
      tables: [...section.querySelectorAll("details.data")].map((d) => ({
        title: d.querySelector("summary").textContent, hint: d.querySelector(".hint")?.textContent ?? "", filter: !!d.querySelector("input"),
        wide: [...d.querySelectorAll(".scroll")].some((s) => s.scrollWidth > s.clientWidth + 1),
        rows: [...d.querySelectorAll("tr")].map((r) => [...r.children].map((c) => c.textContent))})),
      text: section.textContent.slice(0, 600),
    };
  }
  return view;
};

const column = (index) => [...document.querySelectorAll("#ipc tbody tr")].filter((r) => !r.hidden).map((r) => r.children[index].textContent);

/** What the buttons of the first chart write, and the first table sorted and filtered. */
async function use(page) {
  seen.saved = {};
  for (const kind of ["SVG", "CSV"]) {
    const waiting = page.waitForEvent("download", {timeout: 300000});
    await page.locator("figure .savers button", {hasText: kind}).first().click();
    const file = await waiting;
    seen.saved[file.suggestedFilename()] = readFileSync(await file.path(), "utf8");
  }
  // A long table is built when its heading is opened.
  await page.evaluate(() => document.querySelectorAll("#ipc details.data").forEach((d) => { d.open = true; }));
  await page.locator("#ipc th button").first().waitFor();
  const heads = page.locator("#ipc th button"), change = (await heads.count()) - 1;
  seen.sorted = [];
  for (let i = 0; i < 2; ++i) {
    await heads.nth(change).click();
    seen.sorted.push({order: await page.locator("#ipc th").nth(change).getAttribute("aria-sort"), values: await page.evaluate(column, change)});
  }
  const filter = page.locator("#ipc input[type=search]");
  if (await filter.count()) {
    await filter.fill("KMEANS cmd");
    seen.filtered = {first: await page.evaluate(column, 0), said: await page.locator("#ipc .count").textContent()};
    await filter.fill("");
  }
}

async function time(list, name, from) {
  const {context, page} = await open(name, {viewport: {width: 1400, height: 900}}, from);
  list.push(await page.evaluate(() => Number(document.documentElement.dataset.ready)));
  await context.close();
}
for (let i = 0; other && i < 5; ++i) {
  await time(seen.open_ms, `timing ${i}`, address);
  await time(seen.other_ms, `timing ${i} of the other page`, pathToFileURL(other).href);
}
for (const [name, options] of Object.entries({
  light: {viewport: {width: 1400, height: 900}, colorScheme: "light"},
  dark: {viewport: {width: 1400, height: 900}, colorScheme: "dark"},
  phone: {viewport: {width: 390, height: 844}, colorScheme: "light"},
  dark_phone: {viewport: {width: 390, height: 844}, colorScheme: "dark"},
})) {
  if (!pictures && name !== "light") continue;
  const {context, page} = await open(name, options);
  seen.views[name] = await page.evaluate(look);
  if (pictures) await page.screenshot({path: `${pictures}/${name}.png`, fullPage: true});
  if (pictures && name === "light") {
    if (await page.locator("#ipc").count()) await use(page);
    const select = page.locator("select").first();
    if (await select.count()) {
      await select.selectOption("0");
      seen.picked = await page.evaluate(look);
    }
    await page.pdf({path: `${pictures}/print.pdf`, format: "A4"});
    await page.emulateMedia({media: "print"});
    const tables = () => [...document.querySelectorAll("details.data")].map((d) => ({
      title: d.querySelector("summary").textContent, open: d.open, rows: d.querySelectorAll("tbody tr").length}));
    const before = await page.evaluate(tables);
    await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
    seen.print_widths = await page.evaluate(() => [...document.querySelectorAll(".plot svg")].map((s) => s.getBoundingClientRect().width));
    seen.print_captions = await page.evaluate(() => [...document.querySelectorAll("figcaption")].map((c) => c.innerText));
    seen.print_tables = await page.evaluate(tables);
    await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
    seen.tables_stay = JSON.stringify((await page.evaluate(tables)).map((t) => t.open)) === JSON.stringify(before.map((t) => t.open));
  }
  await context.close();
}
await browser.close();
console.log(JSON.stringify(seen));
