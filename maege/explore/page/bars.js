// A bar chart of a query result, with intervals if it has any.
import {isNumeric, rowCount, shown} from './answer.js';

const MOST = 30;
const WIDEST = 720;
const ROW = 20;
const LETTER = 7.4;

// Return the numeric columns that can be drawn; columns with an interval come first.
export function measures(columns) {
  const found = columns.filter(({kind, name}) => isNumeric(kind) && !/_?(low|high)$/.test(name));
  const rank = name => interval(columns, name) ? 0 : /^(n_|rank)|_id$/.test(name) ? 2 : 1;
  return found.map(({name}) => name).sort((a, b) => rank(a) - rank(b));
}

// Return the interval columns that directly follow a measure; undefined without an interval.
function interval(columns, name) {
  const [low, high] = columns.slice(columns.findIndex(column => column.name === name) + 1);
  const is = /low$/.test(low?.name) && /high$/.test(high?.name);
  return is ? [low.values, high.values] : undefined;
}

// Return a chart of a measure with the given width in pixels; null without rows.
export function bars(columns, measure, space) {
  const count = Math.min(rowCount(columns), MOST);
  const {values} = columns.find(({name}) => name === measure) ?? {};
  if (!count || !values) return null;
  const [lows, highs] = interval(columns, measure) ?? [[], []];
  const rows = Array.from({length: count}, (_, n) => n);
  const ends = rows.flatMap(n => [values[n], lows[n], highs[n]]).filter(each => each != null);
  const [least, most] = [Math.min(0, ...ends.map(Number)), Math.max(0, ...ends.map(Number))];
  const width = Math.min(space, WIDEST);
  const labels = labelsOf(columns, rows, width / 2.4 / LETTER);
  const left = 8 + LETTER * Math.max(...labels.map(label => label.length));
  const place = value => left + (value - least) / (most - least || 1) * (width - left - 60);
  const svg = drawn('svg', {width, viewBox: `0 0 ${width} ${count * ROW + 4}`, role: 'img'});
  const counted = `${count} of ${rowCount(columns)} rows`;
  svg.setAttribute('aria-label', `Bars of ${measure}, ${counted}; the table has the numbers`);
  for (const n of rows) {
    const [value, y] = [values[n], n * ROW + 4];
    svg.append(drawn('text', {x: left - 6, y: y + 12, 'text-anchor': 'end'}, labels[n]));
    if (value === null) continue;
    const [from, to] = [place(0), place(Number(value))].sort((a, b) => a - b);
    svg.append(drawn('rect', {x: from, y: y + 2, width: Math.max(to - from, .5), height: 12}));
    let end = to;
    if (lows[n] != null && highs[n] != null) {
      const [x1, x2] = [place(lows[n]), place(highs[n])];
      svg.append(drawn('line', {x1, x2, y1: y + 8, y2: y + 8}));
      end = Math.max(to, x2);
    }
    svg.append(drawn('text', {x: end + 5, y: y + 12}, shown(Number(value), 'number')));
  }
  const axis = {x1: place(0), x2: place(0), y1: 0, y2: count * ROW + 4};
  svg.append(drawn('line', {...axis, class: 'axis'}));
  return svg;
}

// Labels of rows: the text columns whose values differ.
function labelsOf(columns, rows, longest) {
  const differing = columns.filter(({kind, values}) =>
    kind === 'text' && new Set(rows.map(n => values[n])).size > 1).slice(0, 3);
  return rows.map(n => {
    const label = differing.map(({values}) => values[n] ?? '').join(' · ') || String(n + 1);
    return label.length > longest ? `${label.slice(0, longest - 1)}…` : label;
  });
}

function drawn(name, attributes, text) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}
