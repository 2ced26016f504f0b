const NUMBER = new Intl.NumberFormat("en-US");

export const count = (value) => NUMBER.format(value ?? 0);
export const plural = (value, one, many = `${one}s`) => `${count(value)} ${value === 1 ? one : many}`;

export function bytes(value) {
  if (value === undefined || value === null) return "–";
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
  let unit = 0;
  let size = value;
  while (size >= 1023.95 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? size : size.toFixed(size < 9.995 ? 2 : size < 99.95 ? 1 : 0)} ${units[unit]}`;
}

export function duration(seconds) {
  if (seconds === undefined || seconds === null || Number.isNaN(seconds)) return "–";
  const value = Math.max(0, seconds);
  if (value < 0.0005) return "0 ms";
  if (value < 0.9995) return `${Math.round(value * 1000)} ms`;
  if (value < 9.95) return `${value.toFixed(1)} s`;
  if (value < 59.5) return `${Math.round(value)} s`;
  const whole = Math.round(value);
  if (whole < 3600) return pair(whole, 60, "min", "s");
  if (whole < 86400) return pair(Math.round(whole / 60), 60, "h", "min");
  return pair(Math.round(whole / 3600), 24, "d", "h");
}

function pair(value, base, large, small) {
  const rest = value % base;
  return `${Math.floor(value / base)} ${large}${rest ? ` ${rest} ${small}` : ""}`;
}

export const instant = (text) => (text ? Date.parse(text) : NaN);

export function clock(time, withFraction = false) {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return "–";
  const two = (value) => String(value).padStart(2, "0");
  const text = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  return withFraction ? `${text}.${String(date.getMilliseconds()).padStart(3, "0")}` : text;
}

/** Today's times are times of day; others also have a date. */
export function moment(time) {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return "–";
  if (date.toDateString() === new Date().toDateString()) return clock(time);
  const day = date.toLocaleDateString("en-US", { day: "numeric", month: "short", year: "numeric" });
  return `${day}, ${clock(time)}`;
}

export function fromNow(time) {
  const seconds = (time - Date.now()) / 1000;
  return seconds >= 0 ? `in ${duration(Math.ceil(seconds))}` : `${duration(Math.ceil(-seconds))} ago`;
}

export const percentage = (part, whole) => (whole > 0 ? Math.floor((100 * part) / whole) : 0);

/** The message in a server's response: its JSON member, or its text. */
export function serverWords(response) {
  const body = response?.body?.trim();
  if (!body) return "";
  try {
    const value = JSON.parse(body);
    const found = value.message ?? value.error_description ?? value.detail ?? value.title ?? value.error?.message ?? value.error;
    if (typeof found === "string") return found;
  } catch {
    // Not JSON: its text is shown.
  }
  return body.length > 240 ? `${body.slice(0, 240)}…` : body;
}

/** A reason without what differs between items: times, durations, and what is shown elsewhere. */
export function generalReason(text) {
  return (text ?? "")
    .replace(/, after: .*$/s, "")
    .replace(/^no process is working on it; next: .*$/s, "no process is working on it")
    .replace(/, (until|next at) \d{4}-\d\d-\d\dT[\d:.]+Z( \(in [^)]*\))?/g, "")
    .replace(/ after [\d.]+ (ms|s|min|h|d)( \d+ (ms|s|min|h))?(?=$|:| )/g, "")
    .replace(/ \(after [^)]*\)/g, "")
    .replace(/\b\d{1,3}(\.\d{1,3}){3}:\d+: /g, "")
    .trim();
}

/** The first `command` in a text for users. */
export const commandIn = (text) => /`([^`]+)`/.exec(text ?? "")?.[1] ?? "";

const ITEM_STATES = ["done", "skipped", "active", "interrupted", "paused", "failed", "cancelled", "pending"];

export const stateNames = ITEM_STATES;
export const allItems = (items) => ITEM_STATES.reduce((sum, state) => sum + (items?.[state] ?? 0), 0);
export const endedItems = (items) => (items?.done ?? 0) + (items?.skipped ?? 0);

const RUN_ICONS = {
  running: "active", finished: "done", paused: "paused", cancelling: "cancelled", cancelled: "cancelled",
  interrupted: "interrupted", waiting: "clock", "failed to run": "failed", unreadable: "failed",
};

/** The icon and the tone of a run's state; a run that finished with failed items is not good news. */
export function runTone(run) {
  const bad = (run.items?.failed ?? 0) > 0 || (run.items?.paused ?? 0) > 0;
  const name = RUN_ICONS[run.status] ?? "dot";
  if (run.status === "failed to run" || run.status === "unreadable") return { name, tone: "failed" };
  if (run.status === "finished") return { name: bad ? "failed" : "done", tone: bad ? "failed" : "done" };
  if (["paused", "interrupted"].includes(run.status)) return { name, tone: "paused" };
  return { name, tone: run.status === "running" ? "active" : "pending" };
}

export const runTitle = (run) => run.name ?? run.run;

/** What the command line accepts, quoted for a shell if needed. */
export const quoted = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
