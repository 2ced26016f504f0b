import { actionButton, copyButton } from "./actions.js";
import { fetchHistory, fetchItem, fetchRun } from "./data.js";
import { h, icon, prose, show } from "./dom.js";
import { bytes, clock, count, duration, fromNow, instant, moment, plural, quoted, runTitle, serverWords } from "./format.js";
import { attemptOf, endLives, historyFor, outcome } from "./history.js";
import { timeScale } from "./scale.js";
import { axis, gapAreas, gridLines, lane, legend } from "./waterfall.js";

const MOST_EVENTS = 400;
const MOST_OUTPUTS = 100;

/** One item: its attempts over time, its events, and its outputs. */
export class ItemView {
  constructor(root, run, key) {
    Object.assign(this, { root, run, key, title: key, shown: MOST_EVENTS });
  }

  async refresh() {
    const [answer, item, events] = await Promise.all([fetchRun(this.run), fetchItem(this.run, this.key), fetchHistory(this.run, { item: this.key })]);
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
    const { item, answer } = this;
    if (!item && !this.events.length) {
      show(this.root, h("div.view", null, h("h1", null, this.key), h("p.panel.empty", null, "This run has no such item.")));
      return;
    }
    const isWorking = answer.status.worked_on;
    const state = item?.status === "active" && !isWorking ? "interrupted" : item?.status ?? "pending";
    const entry = answer.explain.entries?.find((candidate) => candidate.item === this.key);
    show(this.root, h("div.view.item", { "data-key": `item ${this.run} ${this.key}` },
      h("header.title", null,
        h("div.line", null, h("h1", null, this.title), h(`span.chip.${state}`, null, icon(state), state)),
        h("div.actions", null, ["failed", "paused"].includes(state) ? actionButton("retry", answer.status.run, "Retry this item", { items: [this.key] }, ".primary") : null)),
      h("p.meta", null, this.meta(item)),
      this.why(item, entry, state),
      h("section", { "aria-labelledby": "attempts-title" }, h("h2", { id: "attempts-title" }, "Attempts"), this.waterfall()),
      this.outputs(),
      h("section", { "aria-labelledby": "events-title" }, h("h2", { id: "events-title" }, "Events ", h("small", null, count(this.events.length))), this.table())));
  }

  meta(item) {
    const file = [...this.events].reverse().find((event) => event.file)?.file;
    return [
      `item ${this.key}`, item?.attempts ? plural(item.attempts, "attempt") : null, item?.bytes_moved ? `${bytes(item.bytes_moved)} moved` : null,
      item?.seconds === undefined ? null : `took ${duration(item.seconds)}`, file?.type && !file.type.includes("boundary") ? file.type : null,
    ].filter(Boolean).join(" · ");
  }

  why(item, entry, state) {
    if (!item?.reason && !entry) return null;
    const last = [...this.events].reverse().find((event) => event.response);
    const response = entry?.response ?? (item?.reason ? last?.response : null);
    const tone = state === "failed" ? "failed" : state === "paused" || state === "interrupted" ? "paused" : "pending";
    const key = quoted(this.answer.status.name ?? this.answer.status.run);
    const command = /`([^`]+)`/.exec(entry?.unblocked_by ?? "")?.[1] ?? (["failed", "paused"].includes(state) ? `pipeline retry ${key} ${this.key}` : `pipeline explain ${key} ${this.key}`);
    return h(`section.panel.notice.${tone}`, { "data-key": "why", "aria-labelledby": "why-title" },
      h("h2", { id: "why-title" }, state === "failed" ? "Why it failed" : state === "paused" ? "Why it is paused" : "Why it waits"),
      h("p", null, prose(item?.reason ?? entry.waits_for)),
      entry?.since ? h("p.when", null, [`since ${moment(instant(entry.since))}`, entry.until ? `until ${clock(instant(entry.until))} (${fromNow(instant(entry.until))})` : ""].filter(Boolean).join(" · ")) : null,
      response ? responseDetails(response) : null, copyButton(command));
  }

  waterfall() {
    const attempts = this.events.filter((event) => event.event === "concluded").slice(-2000).map(attemptOf);
    if (!attempts.length) return h("p.panel.empty", null, "No attempt has ended yet.");
    endLives(attempts);
    const used = new Set(this.answer.steps.filter((step) => step.loop === null || step.loop === undefined).map((step) => step.id));
    const from = Math.min(...attempts.map((attempt) => attempt.from));
    const to = Math.max(...attempts.map((attempt) => attempt.to));
    const room = Math.max((to - from) * 0.04, 5);
    const scale = timeScale(from - room, to + room, this.history.gaps);
    const shared = this.history.runAttempts.filter((attempt) => used.has(attempt.step));
    const rows = [];
    for (const step of this.answer.steps) {
      const isShared = used.has(step.id);
      const own = (isShared ? shared : attempts).filter((attempt) => attempt.step === step.id);
      if (!own.length || (isShared && !own.some((attempt) => attempt.to > scale.from && attempt.from < scale.to || attempt.lives?.some((life) => life.to > scale.from)))) continue;
      rows.push(this.lane(step, own, scale, isShared));
    }
    const undo = attempts.filter((attempt) => attempt.step === "undo");
    if (undo.length) rows.push(this.lane({ id: "on_abandon", kind: "undoes its effects" }, undo, scale, false));
    const kinds = new Set(attempts.map((attempt) => outcome(attempt.verdict).kind));
    return h("div.panel.waterfall", null,
      h("div.row.titles", { "aria-hidden": "true" }, h("div.name", null, "Step"), h("div.lane", null, axis(scale))),
      h("div.rows", null, h("div.row.backdrop", { "aria-hidden": "true" }, h("div.lane", null, gapAreas(scale, true), gridLines(scale))), rows),
      legend(kinds));
  }

  lane(step, attempts, scale, isShared) {
    const probes = attempts.filter((attempt) => attempt.verdict === "not_done").length;
    const failures = attempts.filter((attempt) => !["success", "probe"].includes(outcome(attempt.verdict).kind)).length;
    const words = [plural(attempts.length - probes, "attempt"), failures ? `${failures} without success` : "", probes ? plural(probes, "probe") : ""].filter(Boolean).join(", ");
    return h("div.row", { role: "img", "aria-label": `${step.id}: ${words}` },
      h("div.name", null, icon(step.kind), h("b", null, step.id), h("small", null, isShared ? "shared by all items" : words)),
      h("div.lane", null, lane(attempts, scale, this.history)));
  }

  outputs() {
    const rows = new Map();
    for (const event of this.events) {
      for (const [name, output] of Object.entries(event.outputs ?? {})) rows.set(`${event.step} ${name} ${event.part}`, { event, name, output });
      if (event.file) rows.set(`${event.step} file ${event.part}`, { event, name: "file", file: event.file });
    }
    if (!rows.size) return null;
    return h("section", { "data-key": "outputs", "aria-labelledby": "outputs-title" }, h("h2", { id: "outputs-title" }, "Outputs"),
      h("div.panel.wide", { tabindex: 0, role: "region", "aria-label": "Table of outputs" }, h("table", null,
        h("thead", null, h("tr", null, ["Step", "Output", "Value", "Valid until"].map((title) => h("th", { scope: "col" }, title)))),
        h("tbody", null, [...rows.values()].slice(0, MOST_OUTPUTS).map(({ event, name, output, file }) => h("tr", null,
          h("td", null, event.step, event.part === undefined ? null : h("small", null, ` part ${event.part}`)), h("th", { scope: "row" }, name), h("td", null, file ? fileText(file) : h("code", null, valueText(output))),
          h("td", null, output?.expires ? validity(output) : "")))))));
  }

  table() {
    const folded = foldMoved(this.events);
    const events = folded.slice(-this.shown);
    const start = instant(this.events[0]?.at) - (this.events[0]?.seconds ?? 0) * 1000;
    return [events.length < folded.length ? h("button", { type: "button", "data-act": "more-events" }, "Show earlier events") : null,
      h("div.panel.wide", { tabindex: 0, role: "region", "aria-label": "Table of events" }, h("table.events", { role: "table" },
        h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, h("th", { scope: "col", role: "columnheader" }, "Time"), h("th.n", { scope: "col", role: "columnheader" }, "Offset"), h("th", { scope: "col", role: "columnheader" }, "Step"),
          h("th", { scope: "col", role: "columnheader" }, "Outcome"), h("th.n", { scope: "col", role: "columnheader" }, "Status"), h("th.n", { scope: "col", role: "columnheader" }, "Duration"), h("th.n", { scope: "col", role: "columnheader" }, "Bytes"), h("th", { scope: "col", role: "columnheader" }, "Details"))),
        h("tbody", { role: "rowgroup" }, events.map((event) => eventRow(event, start, this.history.turns)))))];
  }
}

/** The bytes of an attempt that has ended are shown with its end. */
function foldMoved(events) {
  const attemptKey = (event) => [event.step, event.part, event.generation, event.attempt].join(" ");
  const moved = new Map();
  for (const event of events) if (event.event === "moved") moved.set(attemptKey(event), (moved.get(attemptKey(event)) ?? 0) + event.to - event.from);
  const ended = new Set(events.filter((event) => event.event === "concluded").map(attemptKey));
  return events
    .filter((event) => event.event !== "moved" || !ended.has(attemptKey(event)))
    .map((event) => (event.event === "concluded" && event.bytes === undefined && moved.has(attemptKey(event)) ? { ...event, bytes: moved.get(attemptKey(event)) } : event));
}

function eventRow(event, start, turns) {
  const at = instant(event.at);
  const isEnd = event.event === "concluded";
  const { kind, words } = isEnd ? outcome(event.verdict) : { kind: "note", words: event.event.replaceAll("_", " ") };
  const size = event.event === "moved" ? event.to - event.from : event.bytes;
  const tries = [event.generation > 1 ? `${turns.has(event.step) ? "turn" : "generation"} ${event.generation}` : "", event.attempt > 1 ? `attempt ${event.attempt}` : "", event.part !== undefined ? `part ${event.part}` : ""].filter(Boolean).join(", ");
  return h(`tr.${kind}`, { role: "row" },
    h("td", { role: "cell" }, h("time", { datetime: event.at }, clock(at, true))), h("td.n", { role: "cell" }, `+${duration((at - start) / 1000)}`),
    h("th", { scope: "row", role: "rowheader" }, event.compensation ? "on_abandon" : event.step ?? "–", tries ? h("small", null, ` ${tries}`) : null),
    h("td.outcome", { role: "cell" }, isEnd ? h(`i.bar.${kind}`, { "aria-hidden": "true" }) : null, words),
    h("td.n", { role: "cell" }, event.http_status ?? ""), h("td.n", { role: "cell" }, event.seconds === undefined ? "" : duration(event.seconds)),
    h("td.n", { role: "cell" }, size === undefined ? "" : bytes(size)), h("td.details", { role: "cell" }, eventDetails(event)));
}

function eventDetails(event) {
  const lines = [];
  if (event.again) lines.push(`issued again: ${event.again}`);
  if (event.reason) lines.push(event.response ? event.reason.replace(/; the server says '.*$/s, "") : event.reason);
  if (event.words) lines.push(`the server says: ${event.words}`);
  if (event.uncertain) lines.push("it may have taken effect");
  if (event.after) lines.push(`not before ${clock(instant(event.after), true)}`);
  if (event.expired) lines.push(`result of ${event.expired} is no longer accepted`);
  if (event.event === "moved") lines.push(`bytes ${count(event.from)} to ${count(event.to)}`);
  if (event.renewal) lines.push(`needs ${event.renewal === "challenge" ? "a new challenge" : "a new request"}`);
  for (const [name, output] of Object.entries(event.outputs ?? {})) lines.push(`${name} = ${valueText(output)}`);
  if (event.file) lines.push(`created ${event.file.name}, ${bytes(event.file.size)}`);
  return [lines.map((line) => h("p", null, prose(line))),
    (event.hops ?? []).map((hop) => h("p", null, h("b.code", null, hop.status), " ", hop.address)),
    event.response ? responseDetails(event.response) : null];
}

function responseDetails(response) {
  const ids = Object.entries(response.request_ids ?? {});
  return h("details.response", null,
    h("summary", null, "Response ", response.status ? h("b.code", null, response.status) : null, " ", h("q", null, serverWords(response) || `${count(response.body_bytes)} bytes, not kept`)),
    ids.map(([name, value]) => h("p", null, `${name}: ${value}`)),
    response.body ? h("pre", { tabindex: 0 }, response.body) : null,
    response.body && response.body_bytes > 2048 ? h("small", null, `the first 2 KiB of ${bytes(response.body_bytes)}`) : null);
}

function valueText(output) {
  if (output.secret || output.sealed) return "***";
  return typeof output.value === "string" ? output.value : JSON.stringify(output.value ?? null);
}

function validity(output) {
  const until = instant(output.expires);
  return [moment(until), h("small", null, until < Date.now() ? " expired" : ` ${fromNow(until)}`)];
}

function fileText(file) {
  const digest = ["sha256", "sha512", "sha1", "md5", "crc64nvme", "crc32c", "crc32"].find((name) => file[name]);
  return [file.name, h("small", null, ` ${bytes(file.size)}${digest ? ` · ${digest} ` : ""}`), digest ? h("code", null, file[digest]) : null];
}
