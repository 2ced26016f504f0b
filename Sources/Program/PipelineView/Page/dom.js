// Elements are built from values and then merged into the page, so that focus, selection, and scroll positions survive an
// update. Text is only ever set as text: names of files and messages of servers are untrusted.

const SVG = "http://www.w3.org/2000/svg";
const SVG_TAGS = new Set(["svg", "path", "line", "rect", "circle", "text", "g", "polyline", "polygon", "title"]);

/** `h("a.name", { href, style: { "--x": 1 } }, ...children)`; null and false children are skipped. */
export function h(tag, attributes, ...children) {
  const [name, ...classes] = tag.split(".");
  const node = SVG_TAGS.has(name) ? document.createElementNS(SVG, name) : document.createElement(name);
  if (classes.length) node.setAttribute("class", classes.join(" "));
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "style") {
      for (const [property, setting] of Object.entries(value)) node.style.setProperty(property, setting);
    } else if (key === "class") {
      node.setAttribute("class", [...classes, value].join(" "));
    } else {
      node.setAttribute(key, value === true ? "" : String(value));
    }
  }
  append(node, children);
  return node;
}

function append(node, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(node, child);
    else node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/** A section with a heading, by whose name assistive technology lists it. */
export function section(key, heading, ...content) {
  const id = `${key}-title`;
  return h("section", { "data-key": key, "aria-labelledby": id }, h("h2", { id }, heading), content);
}

/** A table that scrolls sideways if it must. `columns` are `[title, class]`, and `rows` are made by `tableRow`. */
export function table(label, columns, rows, look = "") {
  // Explicit roles, because a narrow page changes how tables are displayed, and browsers then drop them.
  const heads = columns.map(([title, kind]) => h("th", { scope: "col", role: "columnheader", class: kind ?? null }, title));
  return h("div.panel.wide", { tabindex: 0, role: "region", "aria-label": label },
    h("table", { role: "table", class: look || null },
      h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, heads)),
      h("tbody", { role: "rowgroup" }, rows)));
}

/** `cells` are `[content, class]`; the one with the class `head` names the row. */
export function tableRow(look, cells) {
  return h("tr", { role: "row", class: look || null }, cells.map(([content, kind]) => kind === "head"
    ? h("th", { scope: "row", role: "rowheader" }, content)
    : h("td", { role: "cell", class: kind ?? null }, content)));
}

/** The parts that are present, separated by a dot in the middle. */
export const dotted = (...parts) => parts.filter(Boolean).join(" · ");

/** A text of the program, in which `commands` are between backticks. */
export function prose(text) {
  return (text ?? "").split("`").map((part, index) => (index % 2 && part ? h("code.inline", null, part) : part));
}

/** Replaces the children of a node, keeping what has not changed. */
export function show(parent, ...children) {
  const wanted = document.createDocumentFragment();
  append(wanted, children);
  mergeChildren(parent, wanted);
}

function mergeChildren(from, to) {
  const wanted = [...to.childNodes];
  const wantedKeys = new Set(wanted.map(keyOf));
  const keyed = new Map();
  for (const node of [...from.childNodes]) {
    const key = keyOf(node);
    if (!key) continue;
    if (wantedKeys.has(key)) keyed.set(key, node);
    else node.remove();
  }
  let cursor = from.firstChild;
  for (const node of wanted) {
    const key = keyOf(node);
    const match = key ? keyed.get(key) : cursor;
    if (match && isSame(match, node)) {
      // A node is only moved if its order changed: moving a focused element would take its focus away.
      if (match === cursor) cursor = cursor.nextSibling;
      else from.insertBefore(match, cursor);
      merge(match, node);
    } else {
      const replaced = cursor && !keyOf(cursor) ? cursor : null;
      from.insertBefore(node, cursor);
      if (replaced) {
        cursor = replaced.nextSibling;
        replaced.remove();
      }
    }
  }
  while (cursor) {
    const next = cursor.nextSibling;
    cursor.remove();
    cursor = next;
  }
}

const keyOf = (node) => node.dataset?.key ?? "";

function isSame(a, b) {
  return a.nodeType === b.nodeType && a.nodeName === b.nodeName && keyOf(a) === keyOf(b);
}

function merge(from, to) {
  if (from.nodeType === Node.TEXT_NODE) {
    if (from.data !== to.data) from.data = to.data;
    return;
  }
  if (from.nodeType !== Node.ELEMENT_NODE || from.dataset.own !== undefined) return;
  for (const { name } of [...from.attributes]) {
    // Whether a <details> is open belongs to the reader; `data-keep…` is what the pointer has highlighted.
    if (name !== "style" && !name.startsWith("data-keep") && !(name === "open" && from.nodeName === "DETAILS") && !to.hasAttribute(name)) {
      from.removeAttribute(name);
    }
  }
  for (const { name, value } of to.attributes) {
    if (name !== "style" && from.getAttribute(name) !== value) from.setAttribute(name, value);
  }
  if (from.style.cssText !== to.style.cssText) from.style.cssText = to.style.cssText;
  mergeChildren(from, to);
}

export function icon(name) {
  return h("svg", { class: `icon icon-${name}`, viewBox: "0 0 16 16", "aria-hidden": "true" },
    (ICONS[name] ?? ICONS.dot).map((d) => h("path", { d })));
}

// Every state and outcome has a shape of its own, so that nobody needs to tell colors apart.
const ICONS = {
  dot: ["M8 5.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 0 0 0-5"],
  done: ["M3 8.5l3.2 3.2L13 4.8"],
  active: ["M8 2.5a5.5 5.5 0 1 1-5.5 5.5", "M8 5.2V8l2 1.6"],
  pending: ["M8 2.8a5.2 5.2 0 1 0 0 10.4a5.2 5.2 0 0 0 0-10.4"],
  paused: ["M5.6 3.5v9", "M10.4 3.5v9"],
  failed: ["M4 4l8 8", "M12 4l-8 8"],
  skipped: ["M3.5 4.5L8 8l-4.5 3.5z", "M8.5 4.5L13 8l-4.5 3.5z"],
  cancelled: ["M8 2.8a5.2 5.2 0 1 0 0 10.4a5.2 5.2 0 0 0 0-10.4", "M4.4 4.4l7.2 7.2"],
  interrupted: ["M9 2.2L4.2 9h3.4L7 13.8L11.8 7H8.4z"],
  clock: ["M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 0 0 0-11", "M8 5v3.2l2.2 1.4"],
  host: ["M2.8 3.5h10.4v3.4H2.8z", "M2.8 9.1h10.4v3.4H2.8z", "M5 5.2h.1", "M5 10.8h.1"],
  link: ["M6.6 9.4a2.6 2.6 0 0 0 3.7 0l2-2a2.6 2.6 0 0 0-3.7-3.7l-.8.8", "M9.4 6.6a2.6 2.6 0 0 0-3.7 0l-2 2a2.6 2.6 0 0 0 3.7 3.7l.8-.8"],
  key: ["M10.5 3a2.7 2.7 0 1 0 0 5.4a2.7 2.7 0 0 0 0-5.4", "M8.5 7.6L3.2 13", "M5 11.2l1.6 1.6"],
  disk: ["M3 3h8l2 2v8H3z", "M5.5 3v3.4h4.4V3", "M5.5 13V9.4h5V13"],
  queue: ["M3 4h10", "M3 8h10", "M3 12h6"],
  retry: ["M12.8 8a4.8 4.8 0 1 1-1.6-3.6", "M12.9 2.2v2.9H10"],
  request: ["M3 8h9.5", "M9 4.5L12.5 8L9 11.5"],
  upload: ["M8 13V3.5", "M4.5 7L8 3.5L11.5 7"],
  download: ["M8 3v9.5", "M4.5 9L8 12.5L11.5 9"],
  materialize: ["M4 2.5h5.2L12 5.3v8.2H4z", "M9 2.5v3h3"],
  digest: ["M6.5 3L5.2 13", "M10.8 3L9.5 13", "M3.5 6h9.3", "M3 10h9.3"],
  poll: ["M12.8 8a4.8 4.8 0 1 1-1.6-3.6", "M12.9 2.2v2.9H10", "M8 6.2v2.2"],
  for_each: ["M2.5 3h4.2v4.2H2.5z", "M9.3 3h4.2v4.2H9.3z", "M2.5 9.3h4.2v4H2.5z", "M9.3 9.3h4.2v4H9.3z"],
  repeat: ["M3 9.5V8a3 3 0 0 1 3-3h6.5", "M10.3 2.6L12.8 5l-2.5 2.4", "M13 6.8V8.2a3 3 0 0 1-3 3H3.4", "M5.6 8.8L3.2 11.2l2.4 2.3"],
  copy: ["M5.5 5.5h7v7h-7z", "M10.5 3.5h-7v7"],
  sun: ["M8 5.2a2.8 2.8 0 1 0 0 5.6a2.8 2.8 0 0 0 0-5.6", "M8 1.8v1.1M8 13.1v1.1M1.8 8h1.1M13.1 8h1.1M3.6 3.6l.8.8M11.6 11.6l.8.8M12.4 3.6l-.8.8M4.4 11.6l-.8.8"],
  moon: ["M12.8 9.4A5.2 5.2 0 0 1 6.6 3.2a5.2 5.2 0 1 0 6.2 6.2z"],
  auto: ["M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 0 0 0-11", "M8 2.5v11", "M8 5h3.6M8 8h5M8 11h3.6"],
  play: ["M5 3.2l7.5 4.8L5 12.8z"],
};
