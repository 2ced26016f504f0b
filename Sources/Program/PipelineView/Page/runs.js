import { fetchRun, fetchRuns } from "./data.js";
import { h, icon, show } from "./dom.js";
import { allItems, bytes, clock, count, duration, endedItems, instant, moment, percentage, plural, runTitle, runTone, stateNames } from "./format.js";

const MOST_DETAILS = 8;
const MOST_ENDED = 200;

/** The list of runs, with those that need attention first. */
export class RunsView {
  constructor(root) {
    this.root = root;
    this.details = new Map();
    this.shown = MOST_ENDED;
    this.title = "Runs";
  }

  async refresh() {
    this.runs = await fetchRuns();
    const working = this.runs.filter((run) => run.worked_on).slice(-MOST_DETAILS);
    const answers = await Promise.all(working.map((run) => fetchRun(run.run).catch(() => null)));
    this.details = new Map(answers.filter(Boolean).map((answer) => [answer.status.run, { ...answer.status, until: heldUntil(answer.status, answer.explain) }]));
    this.render();
    return this.summary();
  }

  affects() {
    return true;
  }

  summary() {
    const working = this.runs.filter((run) => run.worked_on).length;
    const attention = this.runs.filter(needsAttention).length;
    return `${plural(this.runs.length, "run")}, ${count(working)} in progress, ${count(attention)} need attention`;
  }

  crumbs() {
    return [];
  }

  render() {
    if (!this.runs) return;
    const newest = [...this.runs].reverse();
    const attention = newest.filter(needsAttention);
    const working = newest.filter((run) => run.worked_on && !needsAttention(run));
    const ended = newest.filter((run) => !run.worked_on && !needsAttention(run));
    show(this.root, h("div.view.runs", { "data-key": "runs" },
      h("h1", null, "Runs"),
      this.runs.length ? null : h("div.panel.empty", null, h("p", null, "There are no runs yet."), h("p", null, "Start one with ", h("code", null, "pipeline run FILE"), ".")),
      this.group("attention", "Needs your attention", attention),
      this.group("working", "In progress", working),
      this.group("ended", "Ended", ended.slice(0, this.shown)),
      ended.length > this.shown ? h("button", { type: "button", "data-act": "more-runs" }, `Show ${count(Math.min(MOST_ENDED, ended.length - this.shown))} more`) : null));
  }

  more() {
    this.shown += MOST_ENDED;
    this.render();
  }

  group(key, title, runs) {
    if (!runs.length) return null;
    return h("section", { "data-key": key, "aria-labelledby": `group-${key}` },
      h("h2", { id: `group-${key}` }, title, " ", h("small", null, count(runs.length))),
      h("ul.panel.cards", { "data-list": "links" }, runs.map((run) => this.card(run))));
  }

  card(run) {
    const status = { ...run, ...(this.details.get(run.run) ?? {}) };
    const { name, tone } = runTone(run);
    const total = allItems(run.items);
    const ended = endedItems(run.items);
    const key = encodeURIComponent(run.run);
    return h(`li.card.${tone}`, { "data-key": run.run },
      h("a", { href: `#/runs/${key}`, "aria-label": `${runTitle(run)}, ${run.status}${total ? `, ${ended} of ${total} items` : ""}` },
        h("span.glyph", null, icon(name)),
        h("span.who", null, h("b", null, runTitle(run)), h("small", null, [run.pipeline, run.name ? run.run : null, run.shard].filter(Boolean).join(" · "))),
        h("span.bar-cell", null, total ? stateBar(run.items, total) : null, h("small", null, reasonOf(run))),
        h("span.fact", null, h("b", null, total ? `${count(ended)} / ${count(total)}` : "–"), h("small", null, total ? `items, ${percentage(ended, total)} %` : "items")),
        h("span.fact", null, ...rateOf(status)),
        h("span.fact.began", null, h("b", null, timeOf(status)), h("small", null, run.began ? moment(instant(run.began)) : ""))));
  }
}

export function needsAttention(run) {
  if (["failed to run", "unreadable", "paused", "interrupted"].includes(run.status)) return true;
  return run.status !== "cancelled" && run.unfinished && ((run.items?.failed ?? 0) > 0 || (run.items?.paused ?? 0) > 0);
}

function reasonOf(run) {
  if (run.status === "unreadable" || run.status === "failed to run") return `${run.status}: ${run.reason ?? ""}`;
  const items = run.items ?? {};
  const notes = ["failed", "paused", "interrupted", "cancelled", "active"]
    .filter((state) => items[state] > 0).map((state) => `${count(items[state])} ${state}`);
  const reason = run.status === "paused" ? (run.reason ?? "").replaceAll("`", "") : "";
  return [reason.startsWith(run.status) ? "" : run.status, reason, ...notes].filter(Boolean).join(" · ");
}

function rateOf(status) {
  if (!status.worked_on) return [h("b", null, bytes(status.bytes_on_disk)), h("small", null, "on disk")];
  if (status.bytes_per_second === undefined) return [h("b", null, "–"), h("small", null, "rate")];
  return [h("b", null, `${bytes(status.bytes_per_second)}/s`), h("small", null, bytes(status.bytes_moved))];
}

function timeOf(status) {
  if (status.until) return `until ${clock(status.until)}`;
  if (status.worked_on && status.seconds_left !== undefined) return `${duration(status.seconds_left)} left`;
  return status.worked_seconds === undefined ? "–" : duration(status.worked_seconds);
}

/** Until when every item in progress waits, if that is later than the end that follows from the rate; otherwise null. */
export function heldUntil(status, explain) {
  const waiting = Object.values(status.waiting ?? {}).reduce((sum, value) => sum + value, 0);
  if (!status.worked_on || !status.items?.active || waiting < status.items.active) return null;
  const next = Math.min(...(explain.entries ?? []).map((entry) => instant(entry.until)).filter((time) => time > Date.now()));
  return Number.isFinite(next) && next - Date.now() > (status.seconds_left ?? 0) * 1000 ? next : null;
}

/** A bar with a part for each state; its parts also differ in pattern. */
export function stateBar(items, total = allItems(items)) {
  const present = stateNames.filter((state) => items?.[state] > 0);
  return h("span.states", { role: "img", "aria-label": present.map((state) => `${count(items[state])} ${state}`).join(", ") || "no items" },
    present.map((state) => h(`i.${state}`, { "data-key": state, style: { "flex-grow": String(Math.max(items[state], total / 250)) } })));
}
