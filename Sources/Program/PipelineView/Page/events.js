import { h, prose, section, table, tableRow } from "./dom.js";
import { bytes, clock, count, duration, fromNow, instant, moment, serverWords } from "./format.js";
import { outcome } from "./history.js";

const MOST_OUTPUTS = 100;
const DIGESTS = ["sha256", "sha512", "sha1", "md5", "crc64nvme", "crc32c", "crc32"];

const OUTPUT_COLUMNS = [["Step"], ["Output"], ["Value"], ["Valid until"]];
const EVENT_COLUMNS = [
  ["Time"], ["Offset", "n"], ["Step"], ["Outcome"], ["Status", "n"], ["Duration", "n"], ["Bytes", "n"], ["Details"],
];

/** The latest outputs of an item's steps; secret ones without their values. */
export function outputTable(events) {
  const latest = new Map();
  for (const event of events) {
    const set = (name, value) => latest.set(`${event.step} ${name} ${event.part}`, { event, name, ...value });
    for (const [name, output] of Object.entries(event.outputs ?? {})) set(name, { output });
    if (event.file) set("file", { file: event.file });
  }
  if (!latest.size) return null;
  const rows = [...latest.values()].slice(0, MOST_OUTPUTS).map(({ event, name, output, file }) => tableRow("", [
    [[event.step, event.part === undefined ? null : h("small", null, ` part ${event.part}`)]],
    [name, "head"],
    [file ? fileText(file) : h("code", null, valueText(output))],
    [output?.expires ? validity(output) : ""],
  ]));
  return section("outputs", "Outputs", table("Table of outputs", OUTPUT_COLUMNS, rows));
}

/** The latest events, `most` at most. */
export function eventTable(events, most, turns) {
  const folded = foldMoved(events);
  const shown = folded.slice(-most);
  const start = instant(events[0]?.at) - (events[0]?.seconds ?? 0) * 1000;
  const rows = shown.map((event) => eventRow(event, start, turns));
  return [
    shown.length < folded.length ? h("button", { type: "button", "data-act": "more-events" }, "Show earlier events") : null,
    table("Table of events", EVENT_COLUMNS, rows, "events"),
  ];
}

/** The bytes of an attempt that has ended are shown with its end. */
function foldMoved(events) {
  const attemptKey = (event) => [event.step, event.part, event.generation, event.attempt].join(" ");
  const moved = new Map();
  const ended = new Set();
  for (const event of events) {
    const key = attemptKey(event);
    if (event.event === "moved") moved.set(key, (moved.get(key) ?? 0) + event.to - event.from);
    if (event.event === "concluded") ended.add(key);
  }
  return events
    .filter((event) => event.event !== "moved" || !ended.has(attemptKey(event)))
    .map((event) => (event.event === "concluded" ? { bytes: moved.get(attemptKey(event)), ...event } : event));
}

function eventRow(event, start, turns) {
  const at = instant(event.at);
  const isEnd = event.event === "concluded";
  const { kind, words } = isEnd ? outcome(event.verdict) : { kind: "note", words: event.event.replaceAll("_", " ") };
  const size = event.event === "moved" ? event.to - event.from : event.bytes;
  const step = event.compensation ? "on_abandon" : event.step ?? "–";
  return tableRow(kind, [
    [h("time", { datetime: event.at }, clock(at, true))],
    [`+${duration((at - start) / 1000)}`, "n"],
    [[step, h("small", null, ` ${triesText(event, turns)}`)], "head"],
    [[isEnd ? h(`i.bar.${kind}`, { "aria-hidden": "true" }) : null, words], "outcome"],
    [event.http_status ?? "", "n"],
    [event.seconds === undefined ? "" : duration(event.seconds), "n"],
    [size === undefined ? "" : bytes(size), "n"],
    [eventDetails(event), "details"],
  ]);
}

function triesText(event, turns) {
  return [
    event.generation > 1 ? `${turns.has(event.step) ? "turn" : "generation"} ${event.generation}` : "",
    event.attempt > 1 ? `attempt ${event.attempt}` : "",
    event.part === undefined ? "" : `part ${event.part}`,
  ].filter(Boolean).join(", ");
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
  return [
    lines.map((line) => h("p", null, prose(line))),
    (event.hops ?? []).map((hop) => h("p", null, h("b.code", null, hop.status), " ", hop.address)),
    event.response ? responseDetails(event.response) : null,
  ];
}

export function responseDetails(response) {
  const { status, body, body_bytes: size } = response;
  return h("details.response", null,
    h("summary", null, "Response ", status ? h("b.code", null, status) : null, " ",
      h("q", null, serverWords(response) || `${count(size)} bytes, not kept`)),
    Object.entries(response.request_ids ?? {}).map(([name, value]) => h("p", null, `${name}: ${value}`)),
    body ? h("pre", { tabindex: 0 }, body) : null,
    body && size > 2048 ? h("small", null, `the first 2 KiB of ${bytes(size)}`) : null);
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
  const digest = DIGESTS.find((name) => file[name]);
  const about = `${bytes(file.size)}${digest ? ` · ${digest} ` : ""}`;
  return [file.name, h("small", null, ` ${about}`), digest ? h("code", null, file[digest]) : null];
}
