// render.js SOURCE.json5: the waveform as SVG on stdout, on a white sheet so that it reads in dark mode too.
// Run by scripts/wavedrom inside a folder where `npm ci` has put wavedrom and json5.
const fs = require('fs');
const path = require('path');
const load = (name) => require(require.resolve(name, { paths: [process.cwd()] }));
const wavedrom = load('wavedrom');
const onml = load('onml');
const source = load('json5').parse(fs.readFileSync(path.resolve(process.argv[2]), 'utf8'));
const skins = Object.assign({}, wavedrom.waveSkin, load('wavedrom/skins/default.js'));
const tree = wavedrom.renderAny(0, source, skins);
const first = typeof tree[1] === 'object' && !Array.isArray(tree[1]) ? 2 : 1;
tree.splice(first, 0, ['rect', { width: '100%', height: '100%', fill: '#ffffff' }]);

// A skin brings every brick there is; keep those that are drawn.
const walk = (node, visit) => {
  if (!Array.isArray(node)) return;
  visit(node);
  node.forEach((child) => walk(child, visit));
};
const attributes = (node) => (node[1] && typeof node[1] === 'object' && !Array.isArray(node[1]) ? node[1] : {});
const used = new Set();
const note = (node) => {
  const reference = attributes(node)['xlink:href'];
  if (reference) used.add(reference.slice(1));
};
const isDefs = (node) => Array.isArray(node) && node[0] === 'defs';
tree.filter((node) => !isDefs(node)).forEach((node) => walk(node, note));
for (let before = -1; before !== used.size;) {  // bricks made of bricks
  before = used.size;
  tree.filter(isDefs).forEach((defs) => defs.forEach((brick) => {
    if (Array.isArray(brick) && used.has(attributes(brick).id)) walk(brick, note);
  }));
}
tree.filter(isDefs).forEach((defs) => {
  const kept = defs.filter((brick) => !Array.isArray(brick) || brick[0] !== 'g' || used.has(attributes(brick).id));
  defs.splice(0, defs.length, ...kept);
});
// A title longer than the lanes: room to its right. It is centred over the lanes, about 140 from the left.
const svg = attributes(tree);
const title = source.head && typeof source.head.text === 'string' ? source.head.text.length * 7.6 : 0;
const width = Math.ceil(Math.max(svg.width, (Number(svg.width) + 140) / 2 + title / 2 + 10));
svg.width = width;
svg.viewBox = `0 0 ${width} ${svg.height}`;
process.stdout.write(onml.stringify(tree, 1).replace(/font-family:Helvetica/g,
  'font-family:Helvetica,Arial,Liberation Sans,sans-serif').replace(/font-size:11pt/g, 'font-size:10pt') + '\n');
