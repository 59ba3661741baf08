// The page: reads the data that `warpsieve report` put into it and fills <main>.
import {element, startDrawing} from "./dom.js";
import * as sections from "./sections.js";

const data = JSON.parse(document.getElementById("data").textContent);
const compared = sections.compare(data);
const main = document.querySelector("main");
const made = [
  ...(data.runs.length ? [
    sections.headline(data, compared),
    sections.ipcSection(data, compared),
    sections.requestSection(data, compared),
    sections.energySection(data, compared),
    sections.sensitivitySection(data, compared),
    sections.pointSection(data, compared),
  ] : []),
  sections.staircaseSection(data),
  sections.areaSection(data),
  sections.claimSection(data),
  sections.blockSection(data),
  sections.failureSection(data),
  sections.provenanceSection(data),
].filter(Boolean);
document.querySelector("nav").append(...made.map((s) => element("a", {href: `#${s.id}`}, s.querySelector("h2").textContent)));
main.append(...made);
startDrawing();
document.documentElement.dataset.ready = String(Math.round(performance.now()));
