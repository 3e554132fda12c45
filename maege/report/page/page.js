"use strict";
// Filters: each exhibit shows the rows with the selected values, in its picture and its table.
const exhibits = JSON.parse(document.getElementById("exhibits").textContent);
const filters = document.querySelector(".filters");
const NARROW = 600;
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

function withLabels(part) {
  return JSON.parse(JSON.stringify(part).replaceAll('"labels":false', '"labels":true'));
}

// Panels side by side if there is enough space, else stacked with labels for every panel.
function fitted(exhibit, width, rows) {
  const spec = structuredClone(exhibit.spec);
  if (spec.hconcat) {
    // A panel is named for its field. Panels without a value are left out; the first has labels.
    const [first, ...others] = spec.hconcat.filter(({name}) =>
      name === undefined || rows.some((row) => row[name] !== null));
    spec.hconcat = [withLabels(first), ...others];
  }
  if (width < NARROW) {
    spec.config.legend.columns = 2;
    spec.config.legend.layout = {top: {anchor: "start", direction: "vertical"}};
  }
  const room = width - exhibit.labels;
  let plot = room - exhibit.margin;
  if (spec.hconcat && width < NARROW) {
    spec.vconcat = spec.hconcat.map(withLabels);
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
    const columns = new Set(rows.map((row) => row[exhibit.across])).size;
    spec.width = exhibit.across
      ? Math.max(room - 4, columns * exhibit.columnWidth) : room - exhibit.margin;
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

  // Offer the values that have rows; an exhibit without rows is hidden.
  offer() {
    const chosen = chosenIn(filters);
    let rows = this.rows.filter((row) => isShown(row, this.content.keys, chosen));
    this.figure.hidden = rows.length === 0;
    for (const select of this.choices?.elements ?? []) {
      const values = new Set(rows.map((row) => row[select.name]));
      const options = [...select.options];
      for (const option of options) {
        option.hidden = option.disabled = !values.has(option.value) && !values.has(null);
      }
      if (select.selectedOptions[0]?.disabled ?? true) {
        select.value = options.find((option) => !option.disabled)?.value ?? "";
      }
      rows = rows.filter((row) => [select.value, null].includes(row[select.name]));
    }
  }

  update(isDrawn = true) {
    this.offer();
    const shown = this.shown();
    this.lines.forEach((line, n) => { line.hidden = !shown[n]; });
    if (isDrawn && this.content.spec) return this.draw(this.rows.filter((_, n) => shown[n]));
  }

  async draw(rows) {
    this.live.hidden = rows.length === 0;
    this.figure.querySelector(".still").hidden = true;
    if (rows.length === 0) return;
    const width = Math.floor(this.figure.clientWidth);
    const spec = fitted(this.content, width, rows);
    const isWider = spec.width + this.content.labels > width;
    this.live.classList.toggle("scrolls", isWider);
    if (isWider) this.live.tabIndex = 0; else this.live.removeAttribute("tabindex");
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
  const options = [...(select?.options ?? [])];
  if (!options.some((option) => option.value === metric && !option.disabled)) return;
  select.value = metric;
  select.dispatchEvent(new Event("change", {bubbles: true}));
  document.getElementById("pairs").scrollIntoView();
}
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-metric]");
  if (link) showPairs(link.dataset.metric);
});

function showTexts(chosen) {
  for (const part of document.querySelectorAll("[data-corpus], [data-variant]")) {
    part.hidden = Object.entries(part.dataset).some(([key, value]) =>
      chosen[key] !== undefined && chosen[key] !== value);
  }
}

// Sections without data for the selected corpus and metrics are listed in one line at the end.
function hideEmptySections() {
  const absent = [];
  for (const section of document.querySelectorAll("main > section")) {
    const isEmpty = (part) => part.hidden || part.tagName === "H2" ||
      (part.matches(".answers") && [...part.children].every(isEmpty));
    section.hidden = [...section.children].every(isEmpty);
    const link = document.querySelector(`nav a[href="#${section.id}"]`);
    link.parentElement.hidden = section.hidden;
    if (section.hidden) absent.push(link.textContent);
  }
  const line = document.getElementById("absent");
  line.hidden = absent.length === 0;
  line.textContent = `No data for this corpus and these metrics: ${absent.join(", ")}.`;
}
hideEmptySections();

filters?.addEventListener("change", () => {
  document.body.classList.add("chosen");
  showTexts(chosenIn(filters));
  for (const exhibit of drawn.values()) exhibit.update();
  hideEmptySections();
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
