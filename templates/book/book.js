"use strict";
// Marks what belongs together on a kernel's page, moves within lists by arrow keys, zooms the graph, searches the
// index. Every page reads without it.

const SVG = "http://www.w3.org/2000/svg";
const linked = [...document.querySelectorAll("#linked .links a, .c a, .steps [data-s], .canvas [data-s]")];
const rows = [...document.querySelectorAll("#statements + ul a")];

// Numbers, of which some are ranges: 3-9 12 14-15.
function spread(text) {
  return text.split(" ").filter(Boolean).flatMap((range) => {
    const [first, last = first] = range.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, k) => first + k);
  });
}

// The statements of an item; a link to one statement is of that one.
function keys(item) {
  return spread(item.dataset.s ?? item.hash?.replace(/^#(row|c)-/, "") ?? "").map(String);
}

const ofStatement = new Map();  // the linked items of each statement

function mark(wanted, name) {
  const chosen = new Set([...wanted].flatMap((key) => ofStatement.get(key) ?? []));
  for (const item of document.querySelectorAll("." + name)) {
    if (!chosen.has(item)) item.classList.remove(name);
  }
  for (const item of chosen) item.classList.add(name);
}

// Bring the first marked item of a scrolling list into its view, without moving the page.
function reveal(list) {
  const item = list.querySelector(".on");
  if (!item) return;
  const a = list.getBoundingClientRect(), b = item.getBoundingClientRect();
  if (b.top < a.top || b.bottom > a.bottom) list.scrollTop += b.top - a.top - a.height / 3;
  if (b.left < a.left || b.left > a.right) list.scrollLeft += b.left - a.left - a.width / 3;
}

function choose(item) {
  mark(new Set(keys(item)), "on");
  for (const list of document.querySelectorAll(".tall, .canvas")) {
    if (!list.contains(item)) reveal(list);
  }
  if (item.tagName !== "LI") say(item);
}

// The mathematics of what is chosen, where it is seen whatever part of the page is in view.
function say(item) {
  const shown = document.getElementById("chosen");
  const row = keys(item).map((key) => document.getElementById("row-" + key)).find(Boolean);
  const source = row ?? item;
  const formula = document.createElement("span");
  formula.className = row ? "id" : "";
  formula.append(...copies(source.childNodes));
  shown.replaceChildren(formula);
  if (source.namespaceURI === SVG) shown.textContent = source.querySelector("text").textContent;
  if (row) shown.append(document.createElement("br"), card(row));
  shown.hidden = false;
}

function hush() {
  const shown = document.getElementById("chosen");
  if (shown) shown.hidden = true;
}

function copies(nodes) {
  return [...nodes].map((node) => node.cloneNode(true));
}

// What a statement is, the title of its step, and who uses its value.
function card(row) {
  const made = document.createElement("small"), [key] = keys(row);
  const step = [...document.querySelectorAll(".steps > li")].find((item) => keys(item).includes(key));
  const title = step?.querySelector("h3").childNodes ?? [];
  const blank = (node) => node.nodeType === Node.TEXT_NODE && !node.data.trim();
  const words = copies([...title].filter((node) => !blank(node) && !node.matches?.("a, button")));
  if (words.at(-1)?.nodeType === Node.TEXT_NODE) words.at(-1).data = words.at(-1).data.trimEnd();
  const [said, cards] = ["said", "cards"].map((id) => document.getElementById(id).textContent.split("\n"));
  for (const text of cards[rows.indexOf(row)].split(";").filter(Boolean)) {
    made.append(spread(text).map((number) => said[number]).join(", "), "; ");
  }
  if (words.length) made.append("step ", ...words);
  const used = users(row).map(assigned);
  if (used.length) made.append("; used by " + used.join(", "));
  return made;
}

// What a statement assigns, the flag that it may return.
function assigned(row) {
  return row.querySelector("mi, mtext").textContent.replace(/ unless\s$/, "");
}

// The statements whose formulas have the value of a statement.
function users(row) {
  const name = assigned(row);
  return rows.filter((other) => {
    const target = other.querySelector("mi, mtext");
    return [...other.querySelectorAll("mi")].some((part) => part !== target && part.textContent === name);
  });
}

// Each line of C has its statement, and a link to its formula as that has one to the line in double.
function linkLines() {
  for (const row of rows) row.id = "row-" + keys(row)[0];
  document.querySelectorAll(".c [data-keys]").forEach((code, i) => {
    const statements = spread(code.dataset.keys);
    code.querySelectorAll("a").forEach((line, k) => {
      if (i === 0) line.id = "c-" + statements[k];
      line.href = (document.getElementById("row-" + statements[k]) ? "#row-" : "#c-") + statements[k];
    });
  });
  for (const item of linked) {
    for (const key of keys(item)) ofStatement.set(key, [...ofStatement.get(key) ?? [], item]);
  }
}

// The lines of a function, with their first and last numbers in the file.
function numbered(code) {
  let next = Number(code.style.counterReset.split(" ")[1]) + 1;
  return [...code.children].map((line) => {
    const first = next + line.classList.contains("parted");
    next = first + line.textContent.split("\n").length;
    return { line, first, last: next - 1 };
  });
}

// The lines that an address such as L102, L102-L110 or f32-L102 names.
function linesAt(name) {
  const [, before, from, to] = /^((?:f32-)?L)(\d+)(?:-L(\d+))?$/.exec(name) ?? [];
  const code = before && document.querySelector(`[data-lines="${before}"]`);
  if (!code) return [];
  const [low, high] = [Number(from), Number(to ?? from)].sort((a, b) => a - b);
  return numbered(code).filter(({ first, last }) => first <= high && last >= low).map(({ line }) => line);
}

function chooseLines(lines) {
  mark(new Set(lines.flatMap((line) => line.matches("a") ? keys(line) : [])), "on");
  for (const line of lines) line.classList.add("on");
  const statement = lines.find((line) => line.matches("a"));
  if (statement) say(statement);
  else hush();
  const list = lines[0].closest(".c");
  document.querySelectorAll(".tall, .canvas").forEach(reveal);
  list.scrollIntoView({ block: "nearest" });
}

let start = null;

// A line of the same function that is selected with Shift ends a range.
function range(item) {
  const code = item.closest("[data-lines]");
  const found = numbered(code), ends = [start, item].map((line) => found.find((other) => other.line === line));
  const [low, high] = [Math.min(...ends.map((e) => e.first)), Math.max(...ends.map((e) => e.last))];
  history.replaceState(null, "", `#${code.dataset.lines}${low}-L${high}`);
  follow();
}

// The address of what is chosen, and what an address leads to: a statement, a line of C or a step.
function address(item) {
  const id = item.id || keys(item).map((key) => "row-" + key).find((id) => document.getElementById(id));
  if (id) history.replaceState(null, "", "#" + id);
}

function follow() {
  const name = decodeURIComponent(location.hash.slice(1));
  const item = document.getElementById(name), lines = linesAt(name);
  if (item && linked.includes(item)) choose(item);
  else if (lines.length) chooseLines(lines);
}

function clear() {
  mark(new Set(), "on");
  hush();
}

function linkAt(event) {
  return event.target.closest?.("#linked .links a, .c a, .canvas [data-s]");
}

// One stop of the tab key for each list; arrow keys move within it.
function roving(list) {
  const items = [...list.querySelectorAll("a, g[data-s]")].filter((item) => keys(item).length);
  items.forEach((item, i) => item.setAttribute("tabindex", i ? "-1" : "0"));
  list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    const at = items.indexOf(document.activeElement);
    if (!step || at < 0) return;
    event.preventDefault();
    const next = items[Math.min(Math.max(at + step, 0), items.length - 1)];
    items.forEach((item) => item.setAttribute("tabindex", item === next ? "0" : "-1"));
    next.focus();
  });
}

function startLinks() {
  linkLines();
  for (const svg of document.querySelectorAll(".canvas svg")) {
    svg.setAttribute("role", "group");
    for (const node of svg.querySelectorAll("g[data-s]")) node.setAttribute("role", "button");
  }
  for (const row of rows) {  // a formula is read as its line of C
    const line = document.querySelector(row.hash);
    if (line) row.setAttribute("aria-label", line.textContent.replace(/\s+/g, " ").trim());
  }
  document.querySelectorAll("[data-roving]").forEach(roving);
  document.addEventListener("click", (event) => {
    const item = linkAt(event);
    if (!item) return;
    event.preventDefault();
    if (event.shiftKey && start && item.closest("[data-lines]")?.contains(start)) {
      range(item);
      return;
    }
    start = item;
    choose(item);
    address(item);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") clear();
    const item = linkAt(event);
    if (item && item.namespaceURI === SVG && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      choose(item);
    }
  });
  document.addEventListener("mouseover", (event) => {
    const item = linkAt(event);
    mark(new Set(item ? keys(item) : []), "near");
  });
  addEventListener("hashchange", follow);
  follow();
}

// A button for what only a script can do.
function button(text, label, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.setAttribute("aria-label", label);
  made.addEventListener("click", () => act(made));
  return made;
}

// Copies the notation of a step, or the lines of a function.
function startCopy(heading, label, text) {
  heading.append(" ", button("Copy", label, async (pressed) => {
    await navigator.clipboard.writeText(text());
    pressed.textContent = "Copied";
    setTimeout(() => { pressed.textContent = "Copy"; }, 2000);
  }));
}

function startCopies() {
  for (const heading of document.querySelectorAll("[data-copy]")) {
    startCopy(heading, `Copy ${heading.parentElement.id.replace("-", " ")}`, () => heading.dataset.copy);
  }
  for (const code of document.querySelectorAll(".panel pre code")) {
    const heading = code.closest("section").querySelector("h3");
    const lines = () => [...code.children].map((line) => line.textContent + "\n");
    startCopy(heading, `Copy ${heading.textContent}`, () => lines().join(""));
  }
}

function startZoom(figure) {
  const canvas = figure.querySelector(".canvas"), svg = canvas.querySelector("svg");
  const full = svg.width.baseVal.value, ratio = svg.height.baseVal.value / full;
  const resize = (width) => {
    svg.setAttribute("width", width);
    svg.setAttribute("height", width * ratio);
  };
  const sizes = [
    ["-", "Zoom out", () => svg.width.baseVal.value / 1.25],
    ["+", "Zoom in", () => svg.width.baseVal.value * 1.25],
    ["Fit", "Fit", () => Math.min(full, canvas.clientWidth)],
    ["100 %", "100 %", () => full],
  ];
  canvas.scrollLeft = (canvas.scrollWidth - canvas.clientWidth) / 2;
  const zoom = document.createElement("span");
  zoom.className = "zoom";
  for (const [text, label, size] of sizes) zoom.append(button(text, label, () => resize(size())), " ");
  figure.querySelector("figcaption").append(zoom);
}

// Whether two words differ by at most `most` letters: one too many, too few, wrong, or exchanged with the next.
function resembles(a, b, most) {
  if (Math.abs(a.length - b.length) > most) return false;
  let older = [], old = [...Array(b.length + 1).keys()];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      row[j] = Math.min(row[j - 1] + 1, old[j] + 1, old[j - 1] + (a[i - 1] !== b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j], older[j - 2] + 1);
    }
    [older, old] = [old, row];
  }
  return old[b.length] <= most;
}

const GREEK = {
  alpha: "α", beta: "β", gamma: "γ", delta: "δ", epsilon: "ε", eps: "ε", theta: "θ", kappa: "κ", lambda: "λ", mu: "μ", nu: "ν",
  omega: "ω", phi: "φ", pi: "π", psi: "ψ", rho: "ρ", sigma: "σ", tau: "τ", xi: "ξ",
};
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻";

// A text in small letters, raised digits behind ^, bold and slanted letters as plain ones, and blanks in place of middle dots.
function folded(text) {
  const raised = text.replace(/[⁰¹²³⁴-⁹⁻]+/g, (run) => "^" + [...run].map((c) => "0123456789-"[RAISED.indexOf(c)]).join(""));
  return raised.normalize("NFKC").toLowerCase().replace(/[·⋅∙]/g, " ").replace(/−/g, "-").replace(/ς/g, "σ");
}

// A text with each Greek letter as a letter and by its name, whichever of the two it has.
function withGreek(text) {
  const words = new Set(text.split(/[^a-z]+/));
  const added = Object.entries(GREEK).map(([name, letter]) =>
    (words.has(name) ? letter : "") + (text.includes(letter) ? ` ${name}` : ""));
  return [text, ...added.filter(Boolean)].join(" ");
}

function tokens(text) {
  return text.split(/[\s,;:()[\]_./]+/);
}

// Whether a text has a word; a single letter must be a word of its own.
function includes(text, word) {
  return word.length === 1 && word < "\u0370" ? text.split(/[\s,;()[\]]+/).includes(word) : text.includes(word);
}

// A unit as arguments declare it, without blanks: kg m2, kg·m², kgm2 and kg m^2 are one.
function unitOf(typed) {
  return folded(typed).replace(/\s+/g, "").replace(/([a-z])(-?\d)/g, "$1^$2");
}

function mistyped(text, word) {
  const most = word.length < 4 ? 0 : word.length < 8 ? 1 : 2;
  const others = text.split(word.includes("_") ? /[\s,;()]+/ : /[\s,;()_]+/);
  return text.includes(word) || others.some((other) => resembles(word, other, most));
}

// How well an item fits: by words of its name, then by words of its text, then by parts of words.
function rank(item, words) {
  const degree = (word) => item.name.includes(word) ? 0 : item.words.has(word) ? 1 : 2;
  return Math.max(0, ...words.map(degree));
}

const vocabulary = document.getElementById("words")?.textContent.split("\n") ?? [];

function searched(li) {
  const said = spread(li.dataset.words).map((number) => vocabulary[number]).join(" ");
  const name = li.querySelector("a").textContent;
  const symbols = ["f32", "f64"].map((precision) => `fc_${name}_${precision}`).join(" ");
  const text = withGreek(folded(`${said} ${li.textContent}`)) + " " + symbols;
  return { li, text, name: tokens(name), words: new Set(tokens(text)), units: li.dataset.units.split(";").map(unitOf) };
}

// Put the items, and the modules by their first item, in an order.
function arrange(order) {
  const sections = new Map();
  for (const item of order) {
    const section = item.li.closest(".module");
    if (!sections.has(section)) sections.set(section, []);
    sections.get(section).push(item.li);
  }
  for (const [section, found] of sections) {
    section.parentNode.append(section);
    section.querySelector("ul").append(...found);
  }
}

function startSearch() {
  const box = document.getElementById("q"), found = document.getElementById("found");
  const items = [...document.querySelectorAll(".index li")].map(searched), modules = document.querySelector(".toc");
  const search = () => {
    const words = folded(box.value).split(/\s+/).filter(Boolean);
    const matching = (has) => items.filter((item) => words.every((word) => has(item.text, word)));
    const unit = unitOf(box.value), ofUnit = items.filter((item) => item.units.includes(unit));
    let shown = unit && ofUnit.length ? ofUnit : matching(includes);
    if (!shown.length) shown = matching(mistyped);
    const count = shown.length, kept = new Set(shown);
    arrange(items.map((item) => [kept.has(item) ? rank(item, words) : 3, item]).sort((a, b) => a[0] - b[0]).map(([, item]) => item));
    for (const item of items) item.li.hidden = !kept.has(item);
    for (const section of document.querySelectorAll(".module")) {
      section.hidden = !section.querySelector("li:not([hidden])");
    }
    modules.hidden = words.length > 0;
    found.textContent = words.length ? `${count} of ${items.length} functions` : "";
  };
  box.value = new URLSearchParams(location.search).get("q") ?? "";
  box.addEventListener("input", search);
  box.form.addEventListener("submit", (event) => {
    event.preventDefault();
    const name = box.value.trim().toLowerCase();
    const links = [...document.querySelectorAll(".index li:not([hidden]) a")];
    (links.find((link) => link.textContent.toLowerCase() === name) ?? links[0])?.click();
  });
  search();
}

// Formulas have no line breaks: on paper, those that are wider than it are smaller.
const PAPER = 660;
const formulas = [...document.querySelectorAll("main math")];

function extent(formula) {  // parts may stand out of it
  const rights = [...formula.querySelectorAll("*")].map((part) => part.getBoundingClientRect().right);
  return Math.max(...rights) - formula.getBoundingClientRect().left;
}

function fitPaper() {
  const wide = formulas.map((formula) => extent(formula) / PAPER);
  formulas.forEach((formula, i) => { formula.style.fontSize = wide[i] > 1 ? `${1.1 / wide[i]}em` : ""; });
}

addEventListener("beforeprint", fitPaper);
addEventListener("afterprint", () => formulas.forEach((formula) => { formula.style.fontSize = ""; }));

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.matches("input, textarea")) return;
  event.preventDefault();
  document.getElementById("q").focus();
});
if (document.querySelector("#linked, [data-lines]")) startLinks();
document.querySelectorAll(".graph").forEach(startZoom);
startCopies();
if (document.getElementById("found")) startSearch();
