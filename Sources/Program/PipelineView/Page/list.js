import { fetchHistory, fetchItems } from "./data.js";
import { h, icon, show } from "./dom.js";
import { bytes, count, duration } from "./format.js";
import { attemptOf, endLives } from "./history.js";
import { spanWithoutGaps, timeScale } from "./scale.js";
import { axis, gapAreas, gridLines, lane } from "./waterfall.js";

const PAGE = 200;
const MOST_PAGES = 12;
const MOST_FETCHED_ROWS = 400;
const FETCHES_AT_ONCE = 2;
// Browsers do not lay out elements that are much taller; beyond this, the scroll bar is proportional.
const MOST_PIXELS = 8_000_000;

/** A list of any number of items, of which only the visible rows and a few pages are in memory. */
export class ItemList {
  constructor(run, onCount) {
    this.run = run;
    this.onCount = onCount;
    this.filter = { status: [], match: "" };
    this.wholeRun = null;
    this.current = 0;
    this.rowAttempts = new Map();
    this.fetching = new Set();
    this.requests = new AbortController();
    this.build();
    this.reset();
  }

  build() {
    this.head = h("div.head", { role: "rowgroup" });
    this.window = h("div.window", { role: "rowgroup" });
    this.probe = h("div.row.probe", { "aria-hidden": "true" });
    this.spacer = h("div.spacer", { role: "presentation" }, this.probe, this.window);
    this.viewport = h("div.viewport", {
      role: "grid", tabindex: 0, "aria-label": "Items; arrow keys move, Enter opens an item", "aria-colcount": 5, "data-list": "items",
    }, this.head, this.spacer);
    this.element = h("div.list", { "data-own": true, "data-key": "list" }, this.viewport);
    this.viewport.addEventListener("scroll", () => this.schedule(), { passive: true });
    this.viewport.addEventListener("keydown", (event) => this.key(event));
    this.viewport.addEventListener("focus", () => this.schedule());
    this.observer = new ResizeObserver(() => this.schedule());
    this.observer.observe(this.viewport);
  }

  /** The list itself, or a stand-in once it is in the page: moving it would lose its focus and scroll position. */
  slot() {
    return this.element.isConnected ? h("div.list", { "data-own": true, "data-key": "list" }) : this.element;
  }

  close() {
    this.observer.disconnect();
    this.requests.abort();
    cancelAnimationFrame(this.frame);
    clearTimeout(this.settled);
  }

  reset() {
    this.generation = (this.generation ?? 0) + 1;
    this.pages = new Map();
    this.after = [null];
    this.loading = new Set();
    this.known = 0;
    this.isEnd = false;
    this.current = 0;
    this.viewport.scrollTop = 0;
    this.schedule();
  }

  setFilter(filter) {
    if (JSON.stringify(filter) === JSON.stringify(this.filter)) return;
    this.filter = filter;
    this.reset();
  }

  /** New figures: visible pages are read again, others when they become visible. */
  update({ history, status, loops, isActive }) {
    Object.assign(this, { history, status, loops, isActive });
    this.schedule();
  }

  refresh() {
    const [first, last] = this.visible ?? [0, 0];
    for (const page of [...this.pages.keys()]) {
      if (page < Math.floor(first / PAGE) || page > Math.floor(last / PAGE)) this.pages.delete(page);
    }
    for (const page of this.pages.keys()) this.load(page, true);
    if (this.history) for (const key of this.rowAttempts.keys()) if (this.history.open.has(key)) this.rowAttempts.delete(key);
  }

  /** Without a filter and with one loop, a page's key follows from its number; otherwise pages are found one by one. */
  get isDirect() {
    return this.loops === 1 && !this.filter.status.length && !this.filter.match;
  }

  get total() {
    if (this.isDirect) return this.isEnd && this.known === 0 ? 0 : this.expected;
    return this.known + (this.isEnd ? 0 : Math.min(PAGE, 30));
  }

  get expected() {
    const items = this.status?.items ?? {};
    if (this.filter.match) return this.isEnd ? this.known : null;
    const states = this.filter.status.length ? this.filter.status : Object.keys(items);
    const sum = states.reduce((total, state) => total + (items[state] ?? 0), 0);
    return states.includes("active") && this.filter.status.length ? sum + (items.interrupted ?? 0) : sum;
  }

  async load(page, isAgain = false) {
    const after = this.isDirect ? (page ? `0/${page * PAGE - 1}` : null) : this.after[page];
    if (after === undefined || this.loading.has(page) || (this.pages.has(page) && !isAgain)) return;
    const { generation } = this;
    this.loading.add(page);
    try {
      const items = await fetchItems(this.run, { ...this.filter, after, limit: PAGE, signal: this.requests.signal });
      if (generation !== this.generation) return;
      this.pages.delete(page);
      this.pages.set(page, items);
      this.found(page, items);
      while (this.pages.size > MOST_PAGES) this.pages.delete(this.pages.keys().next().value);
    } catch {
      // The page says that the connection is lost, and reads everything again when it is back.
    } finally {
      if (generation === this.generation) this.loading.delete(page);
      this.schedule();
    }
  }

  found(page, items) {
    const reached = page * PAGE + items.length;
    if (page === this.after.length - 1 || reached >= this.known) {
      this.known = Math.max(reached, page * PAGE);
      this.isEnd = items.length < PAGE;
    }
    if (items.length === PAGE) this.after[page + 1] = items.at(-1).item;
    this.onCount?.(this.expected, this.isEnd ? this.known : null);
  }

  schedule() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.render());
  }

  item(index) {
    return this.pages.get(Math.floor(index / PAGE))?.[index % PAGE];
  }

  render() {
    if (!this.status || !this.element.isConnected) return;
    const rowHeight = this.probe.offsetHeight || 34;
    const height = Math.max(0, this.viewport.clientHeight - this.head.offsetHeight);
    const total = this.total;
    const pixels = Math.min(total * rowHeight, MOST_PIXELS);
    this.spacer.style.height = `${Math.max(pixels, rowHeight * 2)}px`;
    const isProportional = total * rowHeight > MOST_PIXELS;
    const start = isProportional
      ? this.viewport.scrollTop / Math.max(1, pixels - height) * (total - height / rowHeight)
      : this.viewport.scrollTop / rowHeight;
    const first = Math.max(0, Math.min(Math.floor(start), total - 1));
    const last = Math.max(first, Math.min(total - 1, Math.ceil(start + height / rowHeight)));
    this.metrics = { rowHeight, height, total, pixels, isProportional };
    this.visible = [first, last];
    for (let page = Math.floor(first / PAGE); page <= Math.floor(last / PAGE); page += 1) this.need(page);
    this.draw(first, last, start, rowHeight);
    clearTimeout(this.settled);
    this.settled = setTimeout(() => this.fetchRows(), 180);
  }

  need(page) {
    if (this.pages.has(page)) return;
    if (this.isDirect || this.after[page] !== undefined) this.load(page);
  }

  attemptsOf(key) {
    return this.history.attempts.get(key) ?? this.rowAttempts.get(key) ?? null;
  }

  draw(first, last, start, rowHeight) {
    const items = [];
    for (let index = first; index <= last && index < this.total; index += 1) items.push([index, this.item(index)]);
    const scale = this.scaleOf(items);
    this.showHead(scale);
    const isEmpty = this.isEnd && this.known === 0 || (this.isDirect && this.total === 0);
    show(this.window,
      h("div.row.backdrop", { role: "presentation", "aria-hidden": "true", style: { height: `${this.metrics.height}px` } },
        h("div.lane", null, gapAreas(scale), gridLines(scale))),
      items.map(([index, item]) => this.row(index, item, (index - start) * rowHeight, scale)),
      isEmpty ? h("p.empty", { role: "row" }, h("span", { role: "gridcell" }, this.status.status === "running" ? "No items yet." : "No items match.")) : null);
    this.viewport.setAttribute("aria-rowcount", String(this.expected === null ? -1 : this.expected + 1));
    if (document.activeElement === this.viewport && this.current >= first && this.current <= last) {
      this.viewport.setAttribute("aria-activedescendant", `row-${this.current}`);
    } else {
      this.viewport.removeAttribute("aria-activedescendant");
    }
  }

  showHead(scale) {
    const runLane = this.history.runAttempts;
    show(this.head,
      h("div.row.titles", { role: "row", "aria-rowindex": 1 },
        h("div.name", { role: "columnheader" }, "Item"),
        h("div.lane", { role: "columnheader", "aria-label": "Attempts over time" }, axis(scale)),
        h("div.number", { role: "columnheader" }, "Attempts"), h("div.number", { role: "columnheader" }, "Bytes"),
        h("div.number", { role: "columnheader" }, "Time")),
      runLane.length ? h("div.row.shared", { role: "presentation", "aria-hidden": "true" },
        h("div.name", null, "Steps of the run"), h("div.lane", null, gapAreas(scale), gridLines(scale), lane(runLane, scale, this.history))) : null);
  }

  /** The whole run, or the time in which the visible items were active: in a long run, its rows would be specks. */
  scaleOf(items) {
    const { start, last, gaps } = this.history;
    const isWhole = this.wholeRun ?? (this.expected ?? 0) <= 100;
    let from = Infinity;
    let to = -Infinity;
    if (!isWhole) {
      for (const [, item] of items) {
        for (const attempt of (item && this.attemptsOf(item.item)) ?? []) {
          from = Math.min(from, attempt.from);
          to = Math.max(to, attempt.to);
        }
      }
    }
    if (from >= to) [from, to] = [start, last];
    if (Number.isNaN(from)) [from, to] = [Date.now() - 1000, Date.now()];
    const room = spanWithoutGaps(from, to, gaps) * 0.02;
    return timeScale(isWhole ? from : from - room, to + room, gaps);
  }

  row(index, item, y, scale) {
    const style = { transform: `translateY(${y.toFixed(1)}px)` };
    const isCurrent = index === this.current;
    if (!item) {
      return h("div.row.blank", { role: "row", id: `row-${index}`, "aria-rowindex": index + 2, style }, h("div.name", { role: "gridcell" }, "…"));
    }
    const state = item.status === "active" && !this.isActive ? "interrupted" : item.status;
    const attempts = this.attemptsOf(item.item) ?? [];
    const href = `#/runs/${encodeURIComponent(this.run)}/items/${item.item}`;
    return h(`div.row.${state}`, { role: "row", id: `row-${index}`, "aria-rowindex": index + 2, "aria-selected": isCurrent ? "true" : "false", "data-href": href, style },
      h("div.name", { role: "gridcell" }, h("span.state", null, icon(state), h("span.hidden", null, state)),
        h("a", { href, tabindex: -1, title: item.reason ? `${item.name}\n${item.reason}` : item.name }, item.name)),
      h("div.lane", { role: "gridcell", "aria-label": `${attempts.length} attempts shown` }, lane(attempts, scale, this.history)),
      h("div.number.tries", { role: "gridcell" }, item.attempts ? count(item.attempts) : "–"),
      h("div.number.size", { role: "gridcell" }, item.bytes_moved ? bytes(item.bytes_moved) : "–"),
      h("div.number.time", { role: "gridcell" }, item.seconds === undefined ? "–" : duration(item.seconds)));
  }

  /** Rows whose attempts are no longer in memory read their history once the list stands still. */
  async fetchRows() {
    if (!this.visible || !this.element.isConnected) return;
    const [first, last] = this.visible;
    for (let index = first; index <= last; index += 1) {
      const item = this.item(index);
      if (!item?.attempts || this.attemptsOf(item.item) || this.fetching.has(item.item)) continue;
      if (this.fetching.size >= FETCHES_AT_ONCE) return;
      this.fetchRow(item.item);
    }
  }

  async fetchRow(key) {
    this.fetching.add(key);
    try {
      const events = await fetchHistory(this.run, { item: key, signal: this.requests.signal });
      const attempts = events.filter((event) => event.event === "concluded").slice(-300).map(attemptOf);
      endLives(attempts);
      this.rowAttempts.set(key, attempts);
      if (this.rowAttempts.size > MOST_FETCHED_ROWS) this.rowAttempts.delete(this.rowAttempts.keys().next().value);
      this.schedule();
    } catch {
      if (!this.requests.signal.aborted) this.rowAttempts.set(key, []);
    } finally {
      this.fetching.delete(key);
      this.fetchRows();
    }
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || !this.metrics) return;
    const rows = Math.max(1, Math.floor(this.metrics.height / this.metrics.rowHeight) - 1);
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: rows, PageUp: -rows, Home: -Infinity, End: Infinity };
    if (event.key === "Enter") {
      const item = this.item(this.current);
      if (item) location.hash = `#/runs/${encodeURIComponent(this.run)}/items/${item.item}`;
    } else if (event.key in moves) {
      this.current = Math.max(0, Math.min(this.total - 1, this.current + moves[event.key]));
      this.reveal();
    } else {
      return;
    }
    event.preventDefault();
  }

  reveal() {
    const { rowHeight, height, pixels, total, isProportional } = this.metrics;
    const [first] = this.visible;
    const last = first + Math.floor(height / rowHeight) - 1;
    if (this.current <= first || this.current >= last) {
      const top = this.current <= first ? this.current : this.current - Math.floor(height / rowHeight) + 1;
      this.viewport.scrollTop = isProportional ? top / (total - height / rowHeight) * (pixels - height) : top * rowHeight;
    }
    this.schedule();
  }
}
