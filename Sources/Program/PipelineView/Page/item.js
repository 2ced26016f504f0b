import { actionButton, copyButton } from "./actions.js";
import { fetchHistory, fetchItem, fetchRun } from "./data.js";
import { dotted, h, icon, prose, section, show } from "./dom.js";
import { eventTable, outputTable, responseDetails } from "./events.js";
import { bytes, clock, commandIn, count, duration, fromNow, instant, moment, plural, quoted, runTitle } from "./format.js";
import { attemptOf, endLives, historyFor, outcome } from "./history.js";
import { spanWithoutGaps, timeScale } from "./scale.js";
import { axis, gapAreas, gridLines, lane, legend } from "./waterfall.js";

const MOST_EVENTS = 400;
const MOST_ATTEMPTS_SHOWN = 2000;

/** One item: its attempts over time, its events, and its outputs. */
export class ItemView {
  constructor(root, run, key) {
    Object.assign(this, { root, run, key, title: key, shown: MOST_EVENTS });
  }

  async refresh() {
    const [answer, item, events] = await Promise.all([
      fetchRun(this.run), fetchItem(this.run, this.key), fetchHistory(this.run, { item: this.key }),
    ]);
    this.history = historyFor(this.run, answer.steps);
    this.history.add(await fetchHistory(this.run, { after: this.history.sequence }));
    Object.assign(this, { answer, item, events });
    this.title = item?.name ?? this.key;
    this.render();
    return `${this.title}: ${item?.status ?? "unknown"}`;
  }

  affects(run) {
    return !run || run === this.run || run === this.answer?.status.run;
  }

  crumbs() {
    const name = this.answer ? runTitle(this.answer.status) : this.run;
    return [[name, `#/runs/${encodeURIComponent(this.run)}`], [this.title, null]];
  }

  more() {
    this.shown += MOST_EVENTS;
    this.render();
  }

  render() {
    if (!this.events) return;
    const { item, answer, events } = this;
    if (!item && !events.length) {
      show(this.root, h("div.view", null, h("h1", null, this.key), h("p.panel.empty", null, "This run has no such item.")));
      return;
    }
    const state = item?.status === "active" && !answer.status.worked_on ? "interrupted" : item?.status ?? "pending";
    const entry = answer.explain.entries?.find((candidate) => candidate.item === this.key);
    show(this.root, h("div.view.item", { "data-key": `item ${this.run} ${this.key}` },
      this.header(state),
      h("p.meta", null, this.meta(item)),
      this.why(item, entry, state),
      section("attempts", "Attempts", this.waterfall()),
      outputTable(events),
      section("events", ["Events ", h("small", null, count(events.length))], eventTable(events, this.shown, this.history.turns))));
  }

  header(state) {
    const canRetry = ["failed", "paused"].includes(state);
    return h("header.title", null,
      h("div.line", null, h("h1", null, this.title), h(`span.chip.${state}`, null, icon(state), state)),
      h("div.actions", null, canRetry
        ? actionButton("retry", this.answer.status.run, "Retry this item", { items: [this.key] }, ".primary") : null));
  }

  meta(item) {
    return dotted(
      `item ${this.key}`,
      item?.attempts ? plural(item.attempts, "attempt") : "",
      item?.bytes_moved ? `${bytes(item.bytes_moved)} moved` : "",
      item?.seconds === undefined ? "" : `took ${duration(item.seconds)}`);
  }

  why(item, entry, state) {
    if (!item?.reason && !entry) return null;
    const last = [...this.events].reverse().find((event) => event.response);
    const response = entry?.response ?? (item?.reason ? last?.response : null);
    const isBroken = ["failed", "paused"].includes(state);
    const tone = state === "failed" ? "failed" : state === "paused" || state === "interrupted" ? "paused" : "pending";
    const title = { failed: "Why it failed", paused: "Why it is paused" }[state] ?? "Why it waits";
    const key = quoted(this.answer.status.name ?? this.answer.status.run);
    const command = commandIn(entry?.unblocked_by) || `pipeline ${isBroken ? "retry" : "explain"} ${key} ${this.key}`;
    const until = instant(entry?.until);
    return h(`section.panel.notice.${tone}`, { "data-key": "why", "aria-labelledby": "why-title" },
      h("h2", { id: "why-title" }, title),
      h("p", null, prose(item?.reason ?? entry.waits_for)),
      entry?.since ? h("p.when", null,
        dotted(`since ${moment(instant(entry.since))}`, until ? `until ${clock(until)} (${fromNow(until)})` : "")) : null,
      response ? responseDetails(response) : null,
      copyButton(command));
  }

  waterfall() {
    const attempts = this.events.filter((event) => event.event === "concluded").slice(-MOST_ATTEMPTS_SHOWN).map(attemptOf);
    if (!attempts.length) return h("p.panel.empty", null, "No attempt has ended yet.");
    endLives(attempts);
    const { gaps } = this.history;
    const from = Math.min(...attempts.map((attempt) => attempt.from));
    const to = Math.max(...attempts.map((attempt) => attempt.to));
    const room = Math.max(spanWithoutGaps(from, to, gaps) * 0.04, 5);
    const scale = timeScale(from - room, to + room, gaps);
    const rows = this.answer.steps.map((step) => this.stepRow(step, attempts, scale)).filter(Boolean);
    const undo = attempts.filter((attempt) => attempt.step === "undo");
    if (undo.length) rows.push(this.lane({ id: "on_abandon", kind: "undo" }, undo, scale, false));
    const kinds = new Set(attempts.map((attempt) => outcome(attempt.verdict).kind));
    return h("div.panel.waterfall", null,
      h("div.row.titles", { "aria-hidden": "true" }, h("div.name", null, "Step"), h("div.lane", null, axis(scale))),
      h("div.rows", null,
        h("div.row.backdrop", { "aria-hidden": "true" }, h("div.lane", null, gapAreas(scale, true), gridLines(scale))), rows),
      legend(kinds));
  }

  /** The attempts of a step; those of the run's own steps only if they or their results are part of the item's time. */
  stepRow(step, attempts, scale) {
    const isShared = step.loop === null || step.loop === undefined;
    const own = (isShared ? this.history.runAttempts : attempts).filter((attempt) => attempt.step === step.id);
    const isSeen = (part) => part.to > scale.from && part.from < scale.to;
    if (!own.length || (isShared && !own.some((attempt) => isSeen(attempt) || attempt.lives?.some(isSeen)))) return null;
    return this.lane(step, own, scale, isShared);
  }

  lane(step, attempts, scale, isShared) {
    const probes = attempts.filter((attempt) => attempt.verdict === "not_done").length;
    const failures = attempts.filter((attempt) => !["success", "probe"].includes(outcome(attempt.verdict).kind)).length;
    const words = [
      plural(attempts.length - probes, "attempt"), failures ? `${failures} without success` : "", probes ? plural(probes, "probe") : "",
    ].filter(Boolean).join(", ");
    return h("div.row", { role: "img", "aria-label": `${step.id}: ${words}` },
      h("div.name", null, icon(step.kind), h("b", null, step.id), h("small", null, isShared ? "shared by all items" : words)),
      h("div.lane", null, lane(attempts, scale, this.history)));
  }
}
