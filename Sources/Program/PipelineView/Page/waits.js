import { actionButton, copyButton } from "./actions.js";
import { h, icon, prose } from "./dom.js";
import { clock, commandIn, count, duration, fromNow, generalReason, instant, moment, plural, quoted, serverWords } from "./format.js";

const KIND_ICONS = {
  attempt: "request", probe: "request", compensation: "request", delay: "clock", earliest: "clock", concurrency: "queue", transfers: "queue",
  connections: "queue", open_files: "queue", parts: "queue", items: "queue", list: "queue", batch: "queue", host: "host", rate: "host",
  network: "link", dependency: "link", renewal: "key", disk: "disk", disk_space: "disk", process: "interrupted", allowance: "clock",
};

/** What waits or has failed, grouped by cause: the most urgent first. */
export function waitGroups(explain, status) {
  const groups = new Map();
  for (const cause of explain.causes ?? []) {
    groups.set(`${cause.status} ${generalReason(cause.reason)}`, {
      status: cause.status, title: generalReason(cause.reason), count: cause.items, members: [{ item: cause.first, name: cause.name }],
      isCounted: true, entry: null, since: NaN, until: NaN, cause: cause.reason,
    });
  }
  for (const entry of explain.entries ?? []) addEntry(groups, entry);
  const list = [...groups.values()];
  fitCounts(list, status);
  return list.sort((a, b) => urgency(a) - urgency(b) || b.count - a.count);
}

function addEntry(groups, entry) {
  const title = titleOf(entry);
  const key = `${entry.status} ${title}`;
  const many = /^([\d,]+) items?$/.exec(entry.name);
  const number = many ? Number(many[1].replaceAll(",", "")) : 1;
  let group = groups.get(key);
  if (!group) {
    group = { status: entry.status, title, count: 0, members: [], entry, since: NaN, until: NaN, cause: entry.waits_for, kind: entry.kind };
    groups.set(key, group);
  }
  group.entry ??= entry;
  if (!group.isCounted) group.count += number;
  if (!many && !group.members.some((member) => member.item && member.item === entry.item)) {
    group.members.push({ item: entry.item, name: entry.name });
  }
  if (entry.failure && !group.failed) group.failed = entry;
  const since = instant(entry.since);
  const until = instant(entry.until);
  if (!(group.since <= since)) group.since = since;
  if (!(group.until <= until)) group.until = until;
}

// The failure behind a wait for a process differs between items and is shown with the item.
function titleOf(entry) {
  if (entry.kind === "process") return "no process is working on it";
  return generalReason(entry.waits_for).replace(/; the request of step '([^']+)' waits for its turn.*$/, "; requests wait for their turn");
}

/** Not all items are among the entries: `status` counts all that wait for the same. */
function fitCounts(groups, status) {
  const waiting = Object.entries(status.waiting ?? {});
  for (const [reason, number] of waiting) {
    const own = groups.filter((group) => group.title.startsWith(reason) || sameReason(group.title, reason));
    if (own.length === 1 && own[0].count < number) own[0].count = number;
  }
}

const sameReason = (title, reason) => {
  const host = /pause that (\S+) asked for/.exec(reason);
  return Boolean(host) && title.startsWith(`${host[1]} asked for a pause`);
};

function urgency(group) {
  if (["failed", "failed to run"].includes(group.status)) return 0;
  if (group.status === "paused") return 1;
  if (group.status === "interrupted") return 2;
  return group.kind === "attempt" ? 5 : group.failed ? 3 : 4;
}

export function toneOf(group) {
  if (["failed", "failed to run"].includes(group.status)) return "failed";
  if (["paused", "interrupted"].includes(group.status)) return "paused";
  return "pending";
}

const IN_FLIGHT = new Set(["attempt", "probe", "compensation"]);
const IN_TURN = new Set(["concurrency", "transfers", "connections", "open_files", "parts", "items", "list", "batch", "rate", "dependency"]);
const BRIEF = 5000;
const LONG = 30000;

/** What every run in progress waits for, all the time: requests in flight, places in a queue, and short back-offs. */
export function isUsual(group) {
  if (["failed", "paused"].includes(group.status)) return false;
  if (IN_TURN.has(group.kind)) return true;
  if (IN_FLIGHT.has(group.kind)) return !(Date.now() - group.since > LONG);
  return Boolean(group.until) && group.until - Date.now() < BRIEF;
}

/** These change all the time, so they share a line of constant height. */
function usualLine(groups) {
  const flying = groups.filter((group) => IN_FLIGHT.has(group.kind));
  const queued = groups.filter((group) => IN_TURN.has(group.kind)).reduce((sum, group) => sum + group.count, 0);
  const brief = groups.filter((group) => !IN_FLIGHT.has(group.kind) && !IN_TURN.has(group.kind)).reduce((sum, group) => sum + group.count, 0);
  const steps = new Map();
  for (const group of flying) {
    const step = /'([^']+)'/.exec(group.title)?.[1] ?? group.title.replace(/ in flight$/, "");
    steps.set(step, (steps.get(step) ?? 0) + group.count);
  }
  const text = [
    flying.length ? `in flight: ${[...steps].map(([step, number]) => `${count(number)} × ${step}`).join(", ")}` : "", brief ? `${plural(brief, "item")} retried or renewed within seconds` : "",
    queued ? `${plural(queued, "item")} in the queue` : "",
  ].filter(Boolean).join(" · ");
  return h("li.wait.usual", { "data-key": "usual" }, h("span.glyph", null, icon("queue")), h("p.title", { title: text }, flying.length ? `Working normally: ${text}` : text));
}

export function waitList(groups, usual, run, more) {
  const runKey = run.name ?? run.run;
  const commands = new Set();
  return h("ul.waits", null, groups.map((group) => waitItem(group, run, runKey, commands)), usual.length ? usualLine(usual) : null,
    more > 0 ? h("li.more", { "data-key": "more" }, `${plural(more, "more item")} not listed here`) : null);
}

function waitItem(group, run, runKey, commands) {
  const tone = toneOf(group);
  const name = tone === "failed" ? "failed" : group.status === "paused" ? "paused" : KIND_ICONS[group.kind] ?? "clock";
  const response = group.failed?.response ?? group.entry?.response;
  const isItems = group.members.some((member) => member.item);
  return h(`li.wait.${tone}`, { "data-key": `${group.status} ${group.title}` },
    h("span.glyph", null, icon(name), h("span.hidden", null, group.status)),
    h("div.what", null,
      h("p.title", null, group.count > 1 ? h("b", null, `${count(group.count)} × `) : null, h("span", null, prose(response ? withoutWords(group.title) : group.title))),
      h("p.when", null, whenText(group)),
      response || group.failed ? failure(group, response) : null,
      isItems ? membersLine(group, runKey) : group.members[0]?.name && group.members[0].name !== "the run" ? h("p.when", null, group.members[0].name) : null),
    h("div.help", null, helpFor(group, run, runKey, commands)));
}

/** The server's words have a line of their own. */
const withoutWords = (title) => title.replace(/; the server says '.*$/s, "");

function whenText(group) {
  const parts = [];
  if (group.since) parts.push(`since ${moment(group.since)}`);
  if (group.until) parts.push(`until ${clock(group.until)} (${fromNow(group.until)})`);
  const by = (group.entry?.unblocked_by ?? "").replace(/;? ?`[^`]*`.*$/s, "");
  if (by && !group.until) parts.push(`unblocked by ${by}`);
  return parts.join(" · ");
}

function failure(group, response) {
  const words = serverWords(response);
  const reason = group.failed?.failure ?? "";
  const after = group.failed?.failed_after_seconds;
  const ids = Object.entries(response?.request_ids ?? {});
  return h("p.last", null, group.failed ? "Last failure: " : "The server: ",
    response?.status ? h("b.code", null, response.status) : null,
    words ? h("q", null, words) : h("span", null, reason || "an empty response"),
    after !== undefined ? ` after ${duration(after)}` : "",
    ids.slice(0, 1).map(([name, value]) => h("small", null, ` ${name}: ${value}`)));
}

function membersLine(group, runKey) {
  const shown = group.members.filter((member) => member.item).slice(0, 3);
  const rest = group.count - shown.length;
  return h("p.members", null, shown.map((member, index) => [
    index ? ", " : "", h("a", { href: `#/runs/${encodeURIComponent(runKey)}/items/${member.item}` }, lastPart(member.name)),
  ]), rest > 0 ? `, and ${count(rest)} more` : "");
}

const lastPart = (path) => path.split("/").at(-1) || path;

/** What a command does if waiting is enough, as "ends the wait" in "time; `pipeline cancel` ends the wait". */
function effectOf(text) {
  const words = /`\s+([^`]+)$/.exec(text ?? "")?.[1];
  return words && !text.startsWith("`") ? h("small", null, words) : null;
}

function helpFor(group, run, runKey, commands) {
  const command = commandIn(group.entry?.unblocked_by);
  // One command may help several groups; it is shown with the first.
  if (command && commands.has(command)) return null;
  commands.add(command);
  if (group.status !== "failed" && group.status !== "paused") return command ? [copyButton(command), effectOf(group.entry.unblocked_by)] : null;
  const items = group.members.filter((member) => member.item);
  if (!items.length) return command ? copyButton(command) : null;
  if (group.count === 1) {
    return [copyButton(command || `pipeline retry ${quoted(runKey)} ${items[0].item}`),
      actionButton("retry", run.run, "Retry", { items: [items[0].item] })];
  }
  const status = group.entry?.response?.status;
  const cause = status ? String(status) : group.cause;
  const state = /--state \S+/.exec(command)?.[0];
  const whole = ["pipeline retry", quoted(runKey), "--cause", quoted(cause), state].filter(Boolean).join(" ");
  return [copyButton(whole), actionButton("retry", run.run, `Retry ${count(group.count)}`, { cause, number: group.count })];
}
