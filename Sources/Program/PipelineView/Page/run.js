import { actionButton } from "./actions.js";
import { progressChart } from "./chart.js";
import { fetchHistory, fetchRun } from "./data.js";
import { dotted, h, icon, section, show } from "./dom.js";
import { causePanel, responseTable } from "./figures.js";
import { flowDiagram } from "./flow.js";
import { allItems, bytes, count, duration, endedItems, fromNow, instant, moment, percentage, plural } from "./format.js";
import { runTitle, runTone, stateNames } from "./format.js";
import { historyFor } from "./history.js";
import { ItemList } from "./list.js";
import { heldUntil, stateBar } from "./runs.js";
import { spanWithoutGaps, timeScale } from "./scale.js";
import { isUsual, waitGroups, waitList } from "./waits.js";
import { legend } from "./waterfall.js";

const WAIT_TITLES = { running: "Why it waits", paused: "Why it is paused", interrupted: "Why it stopped" };
const FILTERS = ["done", "active", "paused", "failed", "skipped", "cancelled", "pending"];

/** One run: progress, why it waits, steps, figures, and items. */
export class RunView {
  constructor(root, run) {
    Object.assign(this, { root, run, title: run, status: [], match: "" });
    this.list = new ItemList(run, () => this.showCount());
  }

  close() {
    this.list.close();
  }

  async refresh() {
    const answer = await fetchRun(this.run);
    this.answer = answer;
    this.title = runTitle(answer.status);
    this.history = historyFor(this.run, answer.steps);
    this.history.add(await fetchHistory(this.run, { after: this.history.sequence }));
    this.history.setStart(instant(answer.status.began));
    this.render();
    this.list.refresh();
    return this.summary();
  }

  affects(run) {
    return !run || run === this.run || run === this.answer?.status.run;
  }

  summary() {
    const { status } = this.answer;
    const total = allItems(status.items);
    // Announced at every tenth only, so that a screen reader is not interrupted all the time.
    const tenth = Math.floor(percentage(endedItems(status.items), total) / 10) * 10;
    return `${this.title}: ${status.status}, ${total ? `${tenth} % of ${plural(total, "item")}` : "no items yet"}`;
  }

  crumbs() {
    return [[this.title, null]];
  }

  tick() {
    if (this.answer?.status.worked_on) this.render();
  }

  render() {
    const { answer, history } = this;
    if (!answer || !history) return;
    const { status, explain, steps } = answer;
    history.reconcile((status.items.active ?? 0) + (status.items.interrupted ?? 0));
    const end = status.worked_on ? Math.max(history.last, Date.now()) : history.last;
    const scale = { ...timeScale(history.start, end, history.gaps), now: end };
    const groups = waitGroups(explain, status);
    const usual = status.status === "running" ? groups.filter((group) => isUsual(group)) : [];
    const waits = groups.filter((group) => !usual.includes(group));
    const loops = new Set(steps.map((step) => step.loop).filter((loop) => loop !== null && loop !== undefined)).size;
    show(this.root, h("div.view.run", { "data-key": `run ${this.run}` },
      this.header(status), this.progress(status),
      waits.length || usual.length ? this.waits(waits, usual, status, explain) : null,
      section("steps", ["Steps", this.partNote()], flowDiagram(steps, history, status)),
      h("div.columns", { "data-key": "figures" },
        section("chart", "Progress", h("div.panel", null, progressChart(history, status, scale))),
        section("responses", ["Responses and times", this.partNote()], responseTable(steps, history)),
        section("causes", ["Repeats and renewals", this.partNote()], causePanel(history))),
      this.items(status)));
    this.list.update({ history, status, loops, isActive: status.worked_on });
    this.showCount();
  }

  header(status) {
    const { name, tone } = runTone(status);
    const run = status.run;
    const canEnd = ["running", "paused", "interrupted", "waiting"].includes(status.status);
    const broken = (status.items.failed ?? 0) + (status.items.paused ?? 0);
    return h("header.title", { "data-key": "title" },
      h("div.line", null, h("h1", null, this.title), h(`span.chip.${tone}`, null, icon(name), status.status)),
      h("p.meta", null, this.meta(status)),
      h("div.actions", null,
        status.status === "running" ? actionButton("pause", run, "Pause") : null,
        ["paused", "interrupted"].includes(status.status) ? actionButton("resume", run, "Resume", {}, ".primary") : null,
        broken && !status.worked_on ? actionButton("retry", run, `Retry ${plural(broken, "item")}`, {}, ".primary") : null,
        canEnd ? actionButton("cancel", run, "Cancel …") : null));
  }

  meta(status) {
    const { processes, gaps } = this.history;
    const killed = gaps.filter((gap) => gap.kind === "interrupted").length;
    const away = gaps.reduce((sum, gap) => sum + gap.to - gap.from, 0) / 1000;
    const interrupted = killed ? `, interrupted ${killed === 1 ? "once" : `${killed} times`}` : "";
    return dotted(
      status.pipeline, status.name ? status.run : "", status.shard ? `shard ${status.shard}` : "",
      `started ${moment(instant(status.began))}`,
      status.ended ? `${status.status === "paused" ? "paused" : "ended"} ${moment(instant(status.ended))}` : "",
      processes > 1 ? `${plural(processes, "process", "processes")}${interrupted}` : "",
      away > 0 ? `${duration(away)} without a process` : "");
  }

  progress(status) {
    const total = allItems(status.items);
    const ended = endedItems(status.items);
    const present = stateNames.filter((state) => status.items[state] > 0);
    return h("section.panel.progress", { "data-key": "progress", "aria-label": "Summary" },
      h("div.big", null,
        h("p.count", null, h("b", null, count(ended)), h("span", null, ` of ${plural(total, "item")}`)),
        h("p.percent", null, `${percentage(ended, total)} %`)),
      stateBar(status.items, total),
      h("ul.counts", { "aria-label": "Items by state" }, present.map((state) =>
        h(`li.${state}`, null, icon(state), `${count(status.items[state])} ${state}`))),
      h("ul.facts", null, this.facts(status).map(([label, value, aside]) =>
        h("li", { "data-key": label }, h("span.label", null, label), h("b", null, value), aside ? h("small", null, aside) : null))));
  }

  facts(status) {
    const repeats = [...this.history.causes.values()].filter((cause) => cause.type === "repeat");
    const repeated = repeats.reduce((sum, cause) => sum + cause.count, 0);
    const rate = status.bytes_per_second;
    const worked = status.worked_seconds ?? this.workedSeconds(status);
    const average = worked > 0 ? status.bytes_moved / worked : null;
    return [
      ["Bytes", bytes(status.bytes_moved), status.bytes_total ? `of ${bytes(status.bytes_total)}` : "moved"],
      status.worked_on ? ["Rate", rate === undefined ? "–" : `${bytes(rate)}/s`, "over the last 10 s"]
        : ["Average rate", average ? `${bytes(Math.round(average))}/s` : "–", "while working"],
      timeLeft(status, this.answer.explain),
      ["Worked", duration(worked), status.worked_on ? "so far" : "in total"],
      ["Repeated", count(repeated), repeated ? "attempts" : "nothing failed"],
      status.left_at_server ? ["Left at the server", count(status.left_at_server), "items"] : null,
    ].filter(Boolean);
  }

  workedSeconds(status) {
    const { start, last, gaps } = this.history;
    const end = status.worked_on ? Date.now() : last;
    return spanWithoutGaps(start, end, gaps) / 1000;
  }

  waits(groups, usual, status, explain) {
    const onlyFailed = groups.length > 0 && groups.every((group) => group.status === "failed");
    const title = onlyFailed ? "Why items failed" : WAIT_TITLES[status.status] ?? "What needs your attention";
    return section("waits", title, h("div.panel", null, waitList(groups, usual, status, explain.more ?? 0)));
  }

  /** The figures of a long run cover only the events that were read. */
  partNote() {
    if (this.history.isComplete || !this.history.events) return null;
    return h("small", null, ` the most recent ${count(this.history.events)} events`);
  }

  items(status) {
    const isWhole = this.list.wholeRun ?? allItems(status.items) <= 100;
    const segment = (value, words) => h("button", {
      type: "button", "data-act": "whole", "data-value": String(value), "aria-pressed": String(isWhole === value),
    }, words);
    return h("section.items", { "data-key": "items", "aria-labelledby": "items-title" },
      h("div.toolbar", null,
        h("h2", { id: "items-title" }, "Items"), h("span.found", { id: "found", "data-own": true, role: "status" }),
        h("div.filters", { role: "group", "aria-label": "Filter by state" }, this.filters(status)),
        h("label.search", null,
          h("span.hidden", null, "Find items"),
          h("input", { id: "search", type: "search", placeholder: "Find items", spellcheck: "false", "aria-keyshortcuts": "/" }),
          h("kbd", { "aria-hidden": "true" }, "/")),
        h("div.segments", { role: "group", "aria-label": "Time axis" }, segment(true, "Whole run"), segment(false, "Visible rows"))),
      h("div.panel.flush", { "data-key": "panel" }, this.list.slot(), legend()));
  }

  /** Items that were active when the last process ended are interrupted, but the API lists them as active. */
  filters(status) {
    const { items, worked_on: isWorking } = status;
    const number = (state) => (items[state] ?? 0) + (state === "active" ? items.interrupted ?? 0 : 0);
    const shown = FILTERS.filter((state) => number(state) > 0 || this.status.includes(state));
    if (shown.length < 2 && !this.status.length) return null;
    return shown.map((state) => {
      const name = state === "active" && !isWorking ? "interrupted" : state;
      return h("button.toggle", {
        type: "button", "data-act": "filter", "data-state": state, "data-key": state,
        "aria-pressed": String(this.status.includes(state)),
      }, icon(name), name);
    });
  }

  showCount() {
    const element = document.getElementById("found");
    const expected = this.list.expected;
    if (!element || !this.answer) return;
    const isSearching = this.list.filter.match && expected === null;
    const { known } = this.list;
    const text = isSearching ? (known ? `${count(known)} or more` : "searching …") : count(expected ?? known);
    if (element.textContent !== text) element.textContent = text;
  }

  setWhole(value) {
    this.list.wholeRun = value;
    this.render();
  }

  toggle(state) {
    this.status = this.status.includes(state) ? this.status.filter((other) => other !== state) : [...this.status, state];
    this.list.setFilter({ status: this.status, match: this.match });
    this.render();
  }

  find(text) {
    this.match = text.trim();
    this.list.setFilter({ status: this.status, match: this.match });
    this.showCount();
  }
}

function timeLeft(status, explain) {
  if (!status.worked_on) {
    if (!status.ended) return ["Time left", "–", "no process works on it"];
    const ended = instant(status.ended);
    return [status.status === "paused" ? "Paused" : "Ended", moment(ended), fromNow(ended)];
  }
  const next = heldUntil(status, explain);
  if (next) return ["Waits until", moment(next), fromNow(next)];
  return ["Time left", status.seconds_left === undefined ? "–" : duration(status.seconds_left), "estimated"];
}
