import { actionButton } from "./actions.js";
import { progressChart } from "./chart.js";
import { fetchHistory, fetchRun } from "./data.js";
import { h, icon, show } from "./dom.js";
import { flowDiagram } from "./flow.js";
import { allItems, bytes, count, duration, endedItems, fromNow, instant, moment, percentage, plural, runTitle, runTone, stateNames } from "./format.js";
import { historyFor, quantiles } from "./history.js";
import { ItemList } from "./list.js";
import { heldUntil, stateBar } from "./runs.js";
import { timeScale } from "./scale.js";
import { isUsual, waitGroups, waitList } from "./waits.js";
import { legend } from "./waterfall.js";

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
      h("section", { "data-key": "steps", "aria-labelledby": "steps-title" }, h("h2", { id: "steps-title" }, "Steps", this.partNote()), flowDiagram(steps, history, status)),
      h("div.columns", { "data-key": "figures" },
        h("section.wide-first", { "aria-labelledby": "chart-title" }, h("h2", { id: "chart-title" }, "Progress"), h("div.panel", null, progressChart(history, status, scale))),
        this.responses(), this.causes()),
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
    return [
      status.pipeline, status.name ? status.run : null, status.shard ? `shard ${status.shard}` : null, `started ${moment(instant(status.began))}`,
      status.ended ? `${status.status === "paused" ? "paused" : "ended"} ${moment(instant(status.ended))}` : null,
      processes > 1 ? `${plural(processes, "process", "processes")}${killed ? `, interrupted ${killed === 1 ? "once" : `${killed} times`}` : ""}` : null,
      away > 0 ? `${duration(away)} without a process` : null,
    ].filter(Boolean).join(" · ");
  }

  progress(status) {
    const total = allItems(status.items);
    const ended = endedItems(status.items);
    const repeated = [...this.history.causes.values()].reduce((sum, cause) => sum + (cause.type === "repeat" ? cause.count : 0), 0);
    const present = stateNames.filter((state) => status.items[state] > 0);
    return h("section.panel.progress", { "data-key": "progress", "aria-label": "Summary" },
      h("div.big", null,
        h("p.count", null, h("b", null, count(ended)), h("span", null, ` of ${plural(total, "item")}`)),
        h("p.percent", null, `${percentage(ended, total)} %`)),
      stateBar(status.items, total),
      h("ul.counts", { "aria-label": "Items by state" }, present.map((state) => h(`li.${state}`, null, h("i.swatch", { "aria-hidden": "true" }), icon(state), `${count(status.items[state])} ${state}`))),
      h("ul.facts", null, this.facts(status, repeated).map(([label, value, aside]) => h("li", { "data-key": label }, h("span.label", null, label), h("b", null, value), aside ? h("small", null, aside) : null))));
  }

  facts(status, repeated) {
    const worked = status.worked_seconds ?? this.workedSeconds(status);
    const average = worked > 0 ? status.bytes_moved / worked : null;
    return [
      ["Bytes", bytes(status.bytes_moved), status.bytes_total ? `of ${bytes(status.bytes_total)}` : "moved"],
      status.worked_on ? ["Rate", status.bytes_per_second === undefined ? "–" : `${bytes(status.bytes_per_second)}/s`, "over the last 10 s"]
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
    return (end - start - gaps.reduce((sum, gap) => sum + gap.to - gap.from, 0)) / 1000;
  }

  waits(groups, usual, status, explain) {
    const onlyFailed = groups.length > 0 && groups.every((group) => group.status === "failed");
    const title = onlyFailed ? "Why items failed" : { running: "Why it waits", paused: "Why it is paused", interrupted: "Why it stopped" }[status.status] ?? "What needs your attention";
    return h("section", { "data-key": "waits", "aria-labelledby": "waits-title" }, h("h2", { id: "waits-title" }, title),
      h("div.panel", null, waitList(groups, usual, status, explain.more ?? 0)));
  }

  partNote() {
    return this.history.isComplete || !this.history.events ? null : h("small", null, ` the most recent ${count(this.history.events)} events`);
  }

  causes() {
    const causes = [...this.history.causes.values()].sort((a, b) => b.count - a.count);
    const most = Math.max(1, ...causes.map((cause) => cause.count));
    return h("section", { "data-key": "causes", "aria-labelledby": "causes-title" }, h("h2", { id: "causes-title" }, "Repeats and renewals", this.partNote()),
      h("div.panel", null, causes.length ? causeList(causes.slice(0, 6), most) : h("p.empty", null, "Nothing had to be repeated."),
        causes.length > 6 ? h("details", { "data-key": "rest" }, h("summary", null, plural(causes.length - 6, "more cause")), causeList(causes.slice(6, 40), most)) : null));
  }

  responses() {
    const rows = this.answer.steps.map((step) => this.history.steps.get(step.id)).filter((step) => step && (step.codes.size || step.samples.length > 2));
    const figures = rows.map((step) => [step, quantiles(step.samples)]);
    const slowest = Math.max(1e-6, ...figures.map(([, times]) => times?.p95 ?? 0));
    return h("section", { "data-key": "responses", "aria-labelledby": "responses-title" }, h("h2", { id: "responses-title" }, "Responses and times", this.partNote()),
      h("div.panel.wide", { tabindex: 0, role: "region", "aria-label": "Responses and times by step" }, rows.length ? h("table.responses", null,
        h("thead", null, h("tr", null, h("th", { scope: "col" }, "Step"), h("th", { scope: "col" }, "Status codes"), h("th.n", { scope: "col" }, "Median"), h("th.n", { scope: "col" }, "p95"), h("th.spread", { scope: "col" }, h("span.hidden", null, "Spread")))),
        h("tbody", null, figures.map(([step, times]) => h("tr", { "data-key": step.id },
          h("th", { scope: "row" }, step.id), h("td", null, codes(step)),
          h("td.n", null, times ? duration(times.median) : "–"), h("td.n", null, times ? duration(times.p95) : "–"),
          h("td.spread", null, times ? h("span.spread-bar", { "aria-hidden": "true", style: { "--low": String(times.low / slowest), "--median": String(times.median / slowest), "--high": String(times.p95 / slowest) } }) : null))))) : h("p.empty", null, "No responses yet.")));
  }

  items(status) {
    const shown = FILTERS.filter((state) => (status.items[state] ?? 0) + (state === "active" ? status.items.interrupted ?? 0 : 0) > 0 || this.status.includes(state));
    const isWhole = this.list.wholeRun ?? allItems(status.items) <= 100;
    return h("section.items", { "data-key": "items", "aria-labelledby": "items-title" },
      h("div.toolbar", null, h("h2", { id: "items-title" }, "Items"), h("span.found", { id: "found", "data-own": true, role: "status" }),
        h("div.filters", { role: "group", "aria-label": "Filter by state" }, shown.length > 1 || this.status.length ? shown.map((state) => h("button.toggle", {
          type: "button", "data-act": "filter", "data-state": state, "data-key": state, "aria-pressed": String(this.status.includes(state)),
        }, icon(state === "active" && !status.worked_on ? "interrupted" : state), state === "active" && !status.worked_on ? "interrupted" : state)) : null),
        h("label.search", null, h("span.hidden", null, "Find items"), h("input", { id: "search", type: "search", placeholder: "Find items", spellcheck: "false", "aria-keyshortcuts": "/" }), h("kbd", { "aria-hidden": "true" }, "/")),
        h("div.segments", { role: "group", "aria-label": "Time axis" },
          h("button", { type: "button", "data-act": "whole", "data-value": "true", "aria-pressed": String(isWhole) }, "Whole run"),
          h("button", { type: "button", "data-act": "whole", "data-value": "false", "aria-pressed": String(!isWhole) }, "Visible rows"))),
      h("div.panel.flush", { "data-key": "panel" }, this.list.slot(), legend()));
  }

  showCount() {
    const element = document.getElementById("found");
    const expected = this.list.expected;
    if (!element || !this.answer) return;
    const isSearching = this.list.filter.match && expected === null;
    const text = isSearching ? (this.list.known ? `${count(this.list.known)} or more` : "searching …") : count(expected ?? this.list.known);
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
  if (!status.worked_on) return status.ended ? [status.status === "paused" ? "Paused" : "Ended", moment(instant(status.ended)), fromNow(instant(status.ended))] : ["Time left", "–", "no process works on it"];
  const next = heldUntil(status, explain);
  if (next) return ["Waits until", moment(next), fromNow(next)];
  return ["Time left", status.seconds_left === undefined ? "–" : duration(status.seconds_left), "estimated"];
}

function causeList(causes, most) {
  return h("ul.causes", null, causes.map((cause) => h(`li.${cause.type}`, { "data-key": `${cause.type} ${cause.step} ${cause.text}` },
    h("b", null, count(cause.count)),
    h("span", null, h("small", null, `${cause.step} ${cause.type === "renewal" ? "issued again" : "repeated"}`), cause.text.replace(/^step '[^']+': /, "")),
    h("i.bar-line", { "aria-hidden": "true", style: { "--share": String(cause.count / most) } }))));
}

function codes(step) {
  const sorted = [...step.codes].sort(([a], [b]) => a - b);
  const parts = sorted.map(([code, number]) => h(`span.code-count${code >= 500 ? ".server" : code >= 400 ? ".client" : ""}`, { "data-key": String(code) }, h("b.code", null, code), ` ${count(number)}`));
  if (step.noResponse) parts.push(h("span.code-count.server", { title: "attempts without a response" }, h("b.code", null, "none"), ` ${count(step.noResponse)}`));
  return parts;
}
