// All access to data: from the server that `pipeline view` runs, or from the page itself if it is a saved file.

const embedded = readEmbedded();

export const isSaved = embedded !== null;
export const savedRun = embedded?.run?.status?.run ?? null;

function readEmbedded() {
  const element = document.getElementById("data");
  return element ? JSON.parse(element.textContent) : null;
}

export class RequestError extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

async function get(path, signal) {
  let response;
  try {
    response = await fetch(`./api/${path}`, { cache: "no-store", signal });
  } catch {
    throw new RequestError("The page's server does not respond.", 0);
  }
  if (!response.ok) throw new RequestError(await errorText(response), response.status);
  return response;
}

async function errorText(response) {
  const text = await response.text().catch(() => "");
  try {
    return JSON.parse(text).error || `The server responded with ${response.status}.`;
  } catch {
    return `The server responded with ${response.status}.`;
  }
}

const at = (run) => `runs/${encodeURIComponent(run)}`;
const isSavedRun = (run) => [embedded.run?.status?.run, embedded.run?.status?.name].includes(run);

export async function fetchRuns() {
  if (isSaved) return embedded.runs ?? [];
  return (await get("runs")).json();
}

export async function fetchRun(run) {
  if (isSaved) {
    if (!isSavedRun(run)) throw new RequestError("This file contains another run only.", 404);
    return embedded.run;
  }
  return (await get(at(run))).json();
}

/** Items after the key `after`, in order: at most `limit`. */
export async function fetchItems(run, { status = [], match = "", after = null, limit = 200, signal } = {}) {
  if (isSaved) return savedItems({ status, match, after, limit });
  const query = new URLSearchParams({ limit: String(limit) });
  if (status.length) query.set("status", status.join(","));
  if (match) query.set("match", match);
  if (after) query.set("after", after);
  return (await get(`${at(run)}/items?${query}`, signal)).json();
}

function savedItems({ status, match, after, limit }) {
  const text = match.toLowerCase();
  const found = [];
  for (const item of embedded.items ?? []) {
    if (after && compareKeys(item.item, after) <= 0) continue;
    if (status.length && !status.includes(item.status)) continue;
    if (text && !item.name.toLowerCase().includes(text)) continue;
    found.push(item);
    if (found.length === limit) break;
  }
  return found;
}

function compareKeys(a, b) {
  const [loopA, numberA] = a.split("/").map(Number);
  const [loopB, numberB] = b.split("/").map(Number);
  return loopA - loopB || numberA - numberB;
}

export async function fetchItem(run, key) {
  const [loop, number] = key.split("/").map(Number);
  // The API lists items after a key. Before the first one there is none, and -1 may not be accepted.
  const found = number > 0
    ? await fetchItems(run, { after: `${loop}/${number - 1}`, limit: 1 })
    : await fetchItems(run, loop === 0 ? { limit: 1 } : { after: `${loop - 1}/999999999`, limit: 1 });
  return found.find((item) => item.item === key) ?? null;
}

/** The events after a sequence: without `item`, at most the last 5,000. */
export async function fetchHistory(run, { after = 0, item = null, signal } = {}) {
  if (isSaved) {
    return (embedded.history ?? []).filter((event) => (item ? event.item === item : event.sequence > after));
  }
  const query = new URLSearchParams(item ? { item } : { after: String(after) });
  const text = await (await get(`${at(run)}/history?${query}`, signal)).text();
  return text.split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line));
}

export async function act(run, action, body = {}) {
  let response;
  try {
    response = await fetch(`./api/${at(run)}/${action}`, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
    });
  } catch {
    throw new RequestError("The page's server does not respond; the request may not have been received.", 0);
  }
  if (!response.ok) throw new RequestError(await errorText(response), response.status);
  return (await response.json()).message ?? "";
}

/**
 * Calls `changed(run)` when a run has changed, and `connected(isConnected)` when the connection is lost or back.
 * The browser reconnects after a lost connection, but not after a response other than 200, as of a proxy.
 */
export function listen({ changed, connected }) {
  if (isSaved) return;
  let source;
  let timer = 0;
  const open = () => {
    clearTimeout(timer);
    source?.close();
    source = new EventSource("./api/events");
    source.onopen = () => connected(true);
    source.addEventListener("changed", (message) => {
      try {
        changed(JSON.parse(message.data).run);
      } catch {
        changed(null);
      }
    });
    source.onerror = () => {
      connected(false);
      if (source.readyState === EventSource.CLOSED) {
        clearTimeout(timer);
        timer = setTimeout(open, 2000);
      }
    };
  };
  open();
  // Browsers limit the connections to one server, so a page in the background does not keep one.
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) open();
    else if (source) {
      clearTimeout(timer);
      source.close();
    }
  });
}
