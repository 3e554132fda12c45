"use strict";
// Edits of outputs are [start, end, correction, type, have, of, outcome, counted], of the gold
// [start, end, correction, type, annotators]; sentences have i, s, a, g, o, perhaps m (missed edits
// by system, as positions in g) and t (texts of references with their names).
const data = JSON.parse(document.getElementById("data").textContent);
const form = document.querySelector(".filters");
const place = document.getElementById("sentences");
const found = document.getElementById("found");
const more = document.getElementById("more");
const AT_ONCE = 50;
const OUTCOMES = [["right", "+"], ["disputed", "±"], ["false", "×"]];
const SAID = ["right", "disputed", "false"];
let shown = [];
let drawn = 0;

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function options(select, pairs, chosen) {
  for (const [value, text] of pairs) select.append(element("option", text, { value }));
  if (chosen !== undefined) select.value = chosen;
}

const key = (edit) => `${edit[0]} ${edit[1]} ${edit[2]}`;

// Edits that one system has in a sentence and another lacks; all edits if one system is selected.
function only(sentence, system, other) {
  const edits = sentence.o[system];
  if (other === null) return edits;
  const theirs = new Set(sentence.o[other].map(key));
  return edits.filter((edit) => !theirs.has(key(edit)));
}

const missedBy = (sentence, system) => (sentence.m?.[system] ?? []).map((index) => sentence.g[index]);

const LISTS = {
  gained: (s, b, a) => only(s, b, a).filter((edit) => edit[4] > 0),
  lost: (s, b, a) => (a === null ? [] : only(s, a, b).filter((edit) => edit[4] > 0)),
  new_false: (s, b, a) => only(s, b, a).filter((edit) => edit[4] === 0),
  false_gone: (s, b, a) => (a === null ? [] : only(s, a, b).filter((edit) => edit[4] === 0)),
  changed: (s, b, a) => (a === null ? s.o[b] : [...only(s, b, a), ...only(s, a, b)]),
  missed: (s, b) => missedBy(s, b),
};

function choices() {
  const value = (name) => form.elements[name].value;
  return {
    system: Number(value("system")),
    other: value("other") === "" ? null : Number(value("other")),
    list: value("list"),
    type: value("type"),
    annotator: value("annotator"),
    words: value("words").trim().toLocaleLowerCase(),
  };
}

function matches(sentence, choice) {
  if (choice.annotator && !sentence.a.includes(choice.annotator)) return false;
  if (choice.words) {
    const made = sentence.o.flat().map((edit) => edit[2]).join(" ");
    if (!`${sentence.s} ${made}`.toLocaleLowerCase().includes(choice.words)) return false;
  }
  if (choice.list === "any" && !choice.type) return true;
  const edits = choice.list === "any"
    ? [...sentence.o[choice.system], ...(choice.other === null ? [] : sentence.o[choice.other]), ...sentence.g]
    : LISTS[choice.list](sentence, choice.system, choice.other);
  return edits.some((edit) => !choice.type || edit[3] === choice.type);
}

// The source with its edits inline; edits that overlap others follow it.
function marked(tokens, edits) {
  const line = document.createDocumentFragment();
  const left = [];
  let at = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (edit.start < at) { left.push(edit); continue; }
    if (edit.start > at) line.append(`${tokens.slice(at, edit.start).join(" ")} `);
    const original = tokens.slice(edit.start, edit.end).join(" ");
    if (original) line.append(element("del", original), " ");
    line.append(element(edit.tag, `${edit.sign}${edit.correction}`, {
      class: edit.kind, title: edit.title, tabindex: "0",
    }), " ");
    at = edit.end;
  }
  line.append(tokens.slice(at).join(" "));
  for (const edit of left) {
    const original = tokens.slice(edit.start, edit.end).join(" ");
    line.append(" ", element("span", `${edit.sign}${original} → ${edit.correction || "nothing"}`, {
      class: edit.kind, title: edit.title, tabindex: "0",
    }));
  }
  return line;
}

function outputEdit(edit, tokens) {
  const [kind, sign] = OUTCOMES[edit[6]];
  const original = tokens.slice(edit[0], edit[1]).join(" ");
  const counted = edit[4] > 0 && !edit[7] ? "; not by the annotator that the sentence is scored with" : "";
  return {
    start: edit[0], end: edit[1], correction: edit[2], tag: "ins", kind, sign,
    title: `${SAID[edit[6]]}, ${edit[3]}: ${original || "nothing"} → ${edit[2] || "nothing"}; ${edit[4]} of ${edit[5]} annotators${counted}`,
  };
}

function missedEdit(edit, tokens) {
  const original = tokens.slice(edit[0], edit[1]).join(" ");
  return {
    start: edit[0], end: edit[1], correction: edit[2], tag: "span", kind: "missed", sign: "○",
    title: `missed, ${edit[3]}: ${original || "nothing"} → ${edit[2] || "nothing"}; annotator ${edit[4].join(", ")}`,
  };
}

function goldLine(sentence, tokens, annotator) {
  const edits = sentence.g.filter((edit) => edit[4].includes(annotator)).map((edit) => ({
    ...missedEdit(edit, tokens), tag: "ins", kind: "gold", sign: "",
    title: `${edit[3]}; annotator ${edit[4].join(", ")}`,
  }));
  return edits.length ? marked(tokens, edits) : "no edit";
}

function draw(sentence, choice) {
  const tokens = sentence.s.split(" ").filter(Boolean);
  const article = element("article", "", { id: `s${sentence.i}`, tabindex: "-1" });
  const head = element("h3");
  head.append(element("a", `Sentence ${sentence.i}`, { href: `#s${sentence.i}` }));
  article.append(head);
  const add = (name, content) => {
    const line = element("div", "", { class: "line" });
    const text = element("span");
    text.append(content);
    line.append(element("span", name), text);
    article.append(line);
  };
  for (const system of choice.other === null ? [choice.system] : [choice.other, choice.system]) {
    const edits = sentence.o[system].map((edit) => outputEdit(edit, tokens));
    const spans = new Set(sentence.o[system].map(key));
    const missed = missedBy(sentence, system)
      .filter((edit) => !spans.has(key(edit))).map((edit) => missedEdit(edit, tokens));
    add(data.systems[system], marked(tokens, [...edits, ...missed]));
  }
  for (const annotator of sentence.a) {
    if (!choice.annotator || choice.annotator === annotator) add(`gold ${annotator}`, goldLine(sentence, tokens, annotator));
  }
  for (const [name, text] of sentence.t ?? []) add(name, text);
  return article;
}

function drawMore(upTo = drawn + AT_ONCE) {
  const choice = choices();
  for (; drawn < Math.min(upTo, shown.length); drawn += 1) place.append(draw(shown[drawn], choice));
  more.hidden = drawn >= shown.length;
  more.textContent = `More (${(shown.length - drawn).toLocaleString("en")} left)`;
}

function renew() {
  const choice = choices();
  shown = data.sentences.filter((sentence) => matches(sentence, choice));
  place.replaceChildren();
  drawn = 0;
  found.textContent = `${shown.length.toLocaleString("en")} of ${data.sentences.length.toLocaleString("en")} sentences`;
  drawMore();
}

function goTo(hash) {
  const index = shown.findIndex((sentence) => `#s${sentence.i}` === hash);
  if (index < 0) return;
  if (index >= drawn) drawMore(index + 1);
  const article = document.getElementById(hash.slice(1));
  article.scrollIntoView();
  article.focus({ preventScroll: true });
}

function step(by) {
  const articles = [...place.querySelectorAll("article")];
  if (!articles.length) return;
  const now = articles.indexOf(document.activeElement.closest("article"));
  if (by > 0 && now === articles.length - 1 && !more.hidden) { drawMore(); step(by); return; }
  const next = now < 0 ? 0 : Math.max(0, Math.min(articles.length - 1, now + by));
  articles[next].scrollIntoView({ block: "center" });
  articles[next].focus({ preventScroll: true });
}

const names = data.systems.map((name, index) => [String(index), name]);
options(form.elements.system, names, String(data.systems.length > 1 ? 1 : 0));
options(form.elements.other, [["", "none"], ...names], data.systems.length > 1 ? "0" : "");
const types = new Set(data.sentences.flatMap((sentence) => [...sentence.o.flat(), ...sentence.g].map((edit) => edit[3])));
options(form.elements.type, [...types].sort().map((type) => [type, type]));
options(form.elements.annotator, data.annotators.map((name) => [name, name]));
if (data.systems.length > 1) form.elements.list.value = "changed";
if (!data.sentences.some((sentence) => sentence.m)) {
  form.elements.list.querySelector("[value=missed]").remove();
  document.querySelector("#edits .key .missed-key").remove();
}
// A click on a line of a chart, or on an error type in a table, shows its sentences.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-type], a[data-system]");
  if (!link) return;
  const { type, system, other } = link.dataset;
  form.elements.type.value = type ?? "";
  if (system) {
    form.elements.system.value = data.systems.indexOf(system);
    form.elements.other.value = other ? data.systems.indexOf(other) : "";
  }
  form.elements.list.value = other ? "changed" : "any";
  form.elements.words.value = "";
  renew();
});
form.addEventListener("input", renew);
form.addEventListener("submit", (event) => event.preventDefault());
more.addEventListener("click", () => drawMore());
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, select")) return;
  if (event.key === "/") { event.preventDefault(); form.elements.words.focus(); }
  if (event.key === "j") step(1);
  if (event.key === "k") step(-1);
});
window.addEventListener("hashchange", () => goTo(location.hash));
if (/^#s\d+$/.test(location.hash)) {
  form.elements.list.value = "any";
  renew();
  goTo(location.hash);
} else {
  renew();
}
