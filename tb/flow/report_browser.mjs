// node report_browser.mjs CHROMIUM PAGE.html SCREENSHOTS [OTHER.html]: opens the page from disk in headless Chromium,
// light and dark, 1100 and 400 pixels wide and printed, and prints what it saw as JSON. The time to open it is taken in
// turn with that of the other page. Runs from a folder with playwright-core.
import {chromium} from "playwright-core";
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
  await page.waitForSelector("html[data-ready]", {state: "attached", timeout: 20000});
  return {context, page};
}

const look = () => {
  const view = {width: document.documentElement.scrollWidth, sections: {}, background: getComputedStyle(document.body).backgroundColor};
  for (const section of document.querySelectorAll("section")) {
    const marks = [...section.querySelectorAll(".plot [aria-label]")].filter((m) => / [^ ]/.test(m.getAttribute("aria-label")) && ["rect", "circle", "path"].includes(m.tagName));
    view.sections[section.id] = {
      charts: [...section.querySelectorAll("figure > .plot")].map((p) => p.querySelectorAll("svg rect, svg circle, svg path").length),
      captions: [...section.querySelectorAll("figure > figcaption")].map((c) => c.textContent),
      labels: [...section.querySelectorAll("figure > .plot")].map((p) => [...p.querySelectorAll("svg")].filter((s) => s.ariaHidden !== "true")
        .map((s) => s.getAttribute("role") === "img" && s.getAttribute("aria-label"))),
      ticks: [...section.querySelectorAll(".plot [aria-label$='tick label']")].map((g) => [...g.querySelectorAll("text")].map((t) => t.textContent)),
      axes: [...section.querySelectorAll(".plot [aria-label$='axis label'] text")].map((t) => t.textContent),
      marks: marks.map((m) => ({label: m.getAttribute("aria-label"), width: m.getBoundingClientRect().width, right: m.getBoundingClientRect().right,
        inside: m.getBoundingClientRect().right <= innerWidth})),
      tables: [...section.querySelectorAll("details.data")].map((d) => ({
        title: d.querySelector("summary").textContent,
        rows: [...d.querySelectorAll("tr")].map((r) => [...r.children].map((c) => c.textContent))})),
      text: section.textContent.slice(0, 600),
    };
  }
  return view;
};

async function time(list, name, from) {
  const {context, page} = await open(name, {viewport: {width: 1100, height: 900}}, from);
  list.push(await page.evaluate(() => Number(document.documentElement.dataset.ready)));
  await context.close();
}
for (let i = 0; i < 5; ++i) {
  await time(seen.open_ms, `timing ${i}`, address);
  if (other) await time(seen.other_ms, `timing ${i} of the other page`, pathToFileURL(other).href);
}
for (const [name, options] of Object.entries({
  light: {viewport: {width: 1100, height: 900}, colorScheme: "light"},
  dark: {viewport: {width: 1100, height: 900}, colorScheme: "dark"},
  phone: {viewport: {width: 400, height: 800}, colorScheme: "light"},
  dark_phone: {viewport: {width: 400, height: 800}, colorScheme: "dark"},
})) {
  const {context, page} = await open(name, options);
  seen.views[name] = await page.evaluate(look);
  await page.screenshot({path: `${pictures}/${name}.png`, fullPage: true});
  if (name === "light") {
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
