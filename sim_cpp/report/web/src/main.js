// The page: fills <main> from the data.
import {element, startDrawing} from "./dom.js";
import {data} from "./format.js";
import * as sections from "./sections.js";

const main = document.querySelector("main");
const made = [
  ...(data.runs.length ? [
    sections.headline(),
    sections.ipcSection(),
    sections.requestSection(),
    sections.energySection(),
    sections.figureSection("sensitivity", "Sensitivity"),
    sections.pointSection(),
  ] : []),
  sections.figureSection("curves", "Curves of the machines"),
  sections.areaSection(),
  sections.claimSection(),
  sections.blockSection(),
  sections.failureSection(),
  sections.provenanceSection(),
].filter(Boolean);
document.querySelector("nav").append(...made.map((s) => element("a", {href: `#${s.id}`}, s.querySelector("h2").textContent)));
main.append(...made);
startDrawing();
document.documentElement.dataset.ready = String(Math.round(performance.now()));
