"use strict";
// Marks what belongs together on a kernel's page, moves within lists by arrow keys, zooms the graph, searches the
// index. Every page reads without it.

const SVG = "http://www.w3.org/2000/svg";
const linked = [...document.querySelectorAll("[data-s], [data-statement]")];

function keys(item) {
  return (item.dataset.s ?? item.dataset.statement).split(" ").filter(Boolean);
}

function mark(wanted, name) {
  for (const item of linked) {
    item.classList.toggle(name, keys(item).some((key) => wanted.has(key)));
  }
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
  shown.replaceChildren(...[...source.childNodes].map((node) => node.cloneNode(true)));
  if (source.namespaceURI === SVG) shown.textContent = source.querySelector("title").textContent;
  if (source.dataset.card) {
    const card = document.createElement("small");
    card.textContent = source.dataset.card;
    shown.append(document.createElement("br"), card);
  }
  shown.hidden = false;
}

// The address of what is chosen, and what an address leads to: a statement, a line of C or a step.
function address(item) {
  const id = item.id || keys(item).map((key) => "row-" + key).find((id) => document.getElementById(id));
  if (id) history.replaceState(null, "", "#" + id);
}

function follow() {
  const item = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (item && linked.includes(item)) choose(item);
}

function clear() {
  mark(new Set(), "on");
  const shown = document.getElementById("chosen");
  if (shown) shown.hidden = true;
}

function linkAt(event) {
  return event.target.closest?.("#linked [data-s], #linked [data-statement]");
}

// One stop of the tab key for each list; arrow keys move within it.
function roving(list) {
  const items = [...list.querySelectorAll("a.s, g[data-statement]")].filter((item) => keys(item).length);
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
  for (const svg of document.querySelectorAll(".canvas svg")) {
    svg.setAttribute("role", "group");
    for (const node of svg.querySelectorAll("g[data-statement]")) {
      if (keys(node).length) node.setAttribute("role", "button");
    }
  }
  document.querySelectorAll("[data-roving]").forEach(roving);
  document.addEventListener("click", (event) => {
    const item = linkAt(event);
    if (!item) return;
    event.preventDefault();
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

// The notation of a step, or the lines of a function.
function startCopy(button) {
  const lines = () => [...button.closest("section").querySelector("code").children].map((line) => line.textContent);
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.dataset.copy ?? lines().join("\n") + "\n");
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
}

function startZoom(figure) {
  const canvas = figure.querySelector(".canvas"), svg = canvas.querySelector("svg");
  const full = svg.width.baseVal.value, ratio = svg.height.baseVal.value / full;
  const resize = (width) => {
    svg.setAttribute("width", width);
    svg.setAttribute("height", width * ratio);
  };
  const sizes = {
    in: () => svg.width.baseVal.value * 1.25,
    out: () => svg.width.baseVal.value / 1.25,
    fit: () => Math.min(full, canvas.clientWidth),
    full: () => full,
  };
  canvas.scrollLeft = (canvas.scrollWidth - canvas.clientWidth) / 2;
  figure.addEventListener("click", (event) => {
    const how = event.target.dataset?.zoom;
    if (how) resize(sizes[how]());
  });
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

function mistyped(text, word) {
  const most = word.length < 4 ? 0 : word.length < 8 ? 1 : 2;
  return text.includes(word) || text.split(/[\s,;()_]+/).some((other) => resembles(word, other, most));
}

function startSearch() {
  const box = document.getElementById("q"), found = document.getElementById("found");
  const items = [...document.querySelectorAll(".index li")], modules = document.querySelector(".toc");
  const search = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    const matching = (has) => items.filter((item) => words.every((word) => has(item.dataset.text, word)));
    let shown = matching((text, word) => text.includes(word));
    if (!shown.length) shown = matching(mistyped);
    const count = shown.length, kept = new Set(shown);
    for (const item of items) item.hidden = !kept.has(item);
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

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.matches("input, textarea")) return;
  event.preventDefault();
  document.getElementById("q").focus();
});
if (document.getElementById("linked")) startLinks();
document.querySelectorAll(".graph").forEach(startZoom);
document.querySelectorAll("[data-copy], [data-copy-code]").forEach(startCopy);
if (document.getElementById("found")) startSearch();
