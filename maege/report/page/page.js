"use strict";
// Filters: each exhibit shows the rows with the selected values, in its picture and its table.
const exhibits = JSON.parse(document.getElementById("exhibits").textContent);
const filters = document.querySelector(".filters");
const NARROW = 600;
const COLUMN = 10;
const TICK = 60;
const NAME = 30;

function chosenIn(form) {
  return form ? Object.fromEntries(new FormData(form)) : {};
}

function isShown(row, keys, chosen) {
  return keys.every((key) =>
    row[key] === null || chosen[key] === undefined || chosen[key] === "all" ||
    row[key] === chosen[key] || (key === "metric_group" && row[key] === "chance"));
}

// Panels side by side if there is enough space, else stacked with labels for every panel.
function fitted(exhibit, width) {
  const spec = structuredClone(exhibit.spec);
  if (width < NARROW) {
    spec.config.legend.columns = 2;
    spec.config.legend.layout = {top: {anchor: "start", direction: "vertical"}};
  }
  const room = width - exhibit.labels;
  let plot = room - exhibit.margin;
  if (spec.hconcat && width < NARROW) {
    spec.vconcat = spec.hconcat.map((part) => JSON.parse(
      JSON.stringify(part).replaceAll('"labels":false', '"labels":true')));
    delete spec.hconcat;
    for (const part of spec.vconcat) part.width = room - exhibit.margin;
  } else if (spec.hconcat) {
    plot = room / spec.hconcat.length - exhibit.margin;
    for (const part of spec.hconcat) part.width = plot;
  } else if (spec.facet) {
    spec.columns = Math.max(1, Math.floor(width / exhibit.panel));
    // The name of the last panel may be longer than the panel.
    spec.padding = {left: 5, right: NAME, top: 5, bottom: 5};
    spec.spec.width = (width - NAME) / spec.columns - spec.spacing.column;
  } else {
    spec.width = Math.max(room - (exhibit.across ? 4 : exhibit.margin), exhibit.across * COLUMN);
  }
  spec.config.axisXQuantitative = {tickCount: Math.max(3, Math.floor(plot / TICK))};
  // On a phone, the columns of a grid are too close for slanted labels.
  return exhibit.across && width < NARROW ? JSON.parse(JSON.stringify(spec).replaceAll(
    '"labelAngle":-60', '"labelAngle":-90,"labelFontSize":9')) : spec;
}

class Exhibit {
  constructor(figure, content) {
    this.figure = figure;
    this.content = content;
    this.rows = content.rows.map((row) =>
      Object.fromEntries(content.fields.map((field, n) => [field, row[n]])));
    this.lines = [...figure.querySelectorAll("tbody tr")];
    this.live = figure.querySelector(".live");
    this.choices = figure.querySelector(".choices");
    this.choices?.addEventListener("change", () => {
      document.body.classList.add("chosen");
      this.update();
    });
    this.update(false);
  }

  shown() {
    const chosen = {...chosenIn(filters), ...chosenIn(this.choices)};
    return this.rows.map((row) => isShown(row, this.content.keys, chosen));
  }

  update(isDrawn = true) {
    const shown = this.shown();
    this.lines.forEach((line, n) => { line.hidden = !shown[n]; });
    this.figure.querySelector(".empty").hidden = shown.some(Boolean);
    if (isDrawn && this.content.spec) return this.draw(this.rows.filter((_, n) => shown[n]));
  }

  async draw(rows) {
    this.live.hidden = rows.length === 0;
    this.figure.querySelector(".still").hidden = true;
    if (rows.length === 0) return;
    const width = Math.floor(this.figure.clientWidth);
    const spec = fitted(this.content, width);
    this.live.classList.toggle("scrolls", spec.width + this.content.labels > width);
    spec.datasets = {rows};
    this.view?.finalize();
    // A separate element, because Vega replaces the accessible name of its container.
    const options = {actions: false, renderer: "svg", logLevel: 1};
    const embedded = await vegaEmbed(this.live.firstElementChild, spec, options);
    this.view = embedded.view;
    this.view.addEventListener("click", (event, item) => showPairs(item?.datum?.metric));
    this.width = width;
  }
}

const figures = [...document.querySelectorAll("figure.exhibit")];
const drawn = new Map(figures.map((figure) =>
  [figure, new Exhibit(figure, exhibits[figure.dataset.name])]));

// A click on a mark or a metric's name shows the sentences that the metric scores worst.
function showPairs(metric) {
  const select = document.querySelector("#worst-pairs [name=metric]");
  if (![...(select?.options ?? [])].some((option) => option.value === metric)) return;
  select.value = metric;
  select.dispatchEvent(new Event("change", {bubbles: true}));
  document.getElementById("pairs").scrollIntoView();
}
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-metric]");
  if (link) showPairs(link.dataset.metric);
});

function sayOf(chosen) {
  for (const part of document.querySelectorAll("[data-corpus]")) {
    const {corpus} = part.dataset;
    part.hidden = chosen.corpus !== undefined && corpus !== chosen.corpus;
  }
}

filters?.addEventListener("change", () => {
  document.body.classList.add("chosen");
  sayOf(chosenIn(filters));
  for (const exhibit of drawn.values()) exhibit.update();
});
for (const form of document.forms) form.addEventListener("submit", (event) => event.preventDefault());

// Pictures further down are drawn when the reader scrolls near; until then a static picture is shown.
const near = new IntersectionObserver((entries) => {
  for (const {isIntersecting, target} of entries) {
    if (!isIntersecting) continue;
    near.unobserve(target);
    drawn.get(target).update();
  }
}, {rootMargin: "600px"});
figures.forEach((figure) => near.observe(figure));

let resizing;
addEventListener("resize", () => {
  clearTimeout(resizing);
  resizing = setTimeout(() => {
    for (const exhibit of drawn.values()) {
      if (exhibit.view && Math.floor(exhibit.figure.clientWidth) !== exhibit.width) exhibit.update();
    }
  }, 150);
});

// A link to a part of a closed table opens the table; links to pictures scroll after drawing.
if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
