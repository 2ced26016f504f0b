import { announce, ask, confirm, copy } from "./actions.js";
import { isSaved, listen, savedRun } from "./data.js";
import { h, icon, show } from "./dom.js";
import { traceNeeds } from "./flow.js";
import { ItemView } from "./item.js";
import { RunView } from "./run.js";
import { RunsView } from "./runs.js";

const REFRESH_INTERVAL = 1000;
const THEMES = ["auto", "light", "dark"];

const root = document.getElementById("main");
let view = null;
let isConnected = true;
let isRefreshing = false;
let isStale = false;
let refreshedAt = 0;
let pause = REFRESH_INTERVAL;
let timer = 0;

function route() {
  const parts = location.hash.replace(/^#\/?/, "").split("/");
  const isRun = parts[0] === "runs" && parts[1];
  // A saved file starts with its run.
  const run = isRun ? decodeURIComponent(parts[1]) : location.hash ? null : savedRun;
  view?.close?.();
  root.replaceChildren();
  if (isRun && parts[2] === "items" && parts[4] !== undefined) view = new ItemView(root, run, `${parts[3]}/${parts[4]}`);
  else if (run) view = new RunView(root, run);
  else view = new RunsView(root);
  show(root, h("p.loading", { "data-key": "loading" }, "Loading …"));
  frame();
  scrollTo(0, 0);
  pause = 0;
  isStale = true;
  refresh();
}

/** At most one refresh per second, or less often if the server is slow; a change in the meantime causes another one. */
function changed(run) {
  if (run && !view.affects(run)) return;
  isStale = true;
  clearTimeout(timer);
  timer = setTimeout(refresh, Math.max(0, refreshedAt + pause - Date.now()));
}

async function refresh() {
  if (isRefreshing || !isStale) return;
  isRefreshing = true;
  isStale = false;
  refreshedAt = Date.now();
  const current = view;
  try {
    const summary = await current.refresh();
    if (current === view) announce(summary);
    setConnected(true);
  } catch (error) {
    if (current === view) fail(error);
  } finally {
    isRefreshing = false;
    pause = Math.max(REFRESH_INTERVAL, 2 * (Date.now() - refreshedAt));
    frame();
    if (isStale || current !== view) {
      isStale = true;
      changed(null);
    }
  }
}

// What is shown stays while the connection is lost.
function fail(error) {
  if (error.status === 0 || (error.status >= 500 && !root.querySelector(".loading"))) {
    setConnected(false);
    clearTimeout(timer);
    timer = setTimeout(() => {
      isStale = true;
      refresh();
    }, 3000);
    return;
  }
  if (error.status === undefined) console.error(error);
  show(root, h("div.view", { "data-key": "error" }, h("h1", null, "This cannot be shown"), h("p.panel.empty", { role: "alert" }, error.message), h("p", null, h("a", { href: "#/" }, "All runs"))));
}

function setConnected(value) {
  const isBack = value && !isConnected;
  isConnected = value;
  const link = document.getElementById("link");
  link.className = `link ${isSaved ? "saved" : value ? "live" : "lost"}`;
  show(link, isSaved ? "Saved page" : value ? "Live" : "Connection lost, reconnecting …");
  if (isBack) changed(null);
}

function frame() {
  const crumbs = [["Runs", "#/"], ...view.crumbs()];
  show(document.getElementById("crumbs"), h("ol", null, crumbs.map(([name, href], index) => h("li", null,
    index === crumbs.length - 1 ? h("span", { "aria-current": "page" }, name) : h("a", { href }, name)))));
  document.title = `${view.title} · pipeline`;
}

function theme(next) {
  const stored = next ?? readTheme();
  if (stored === "auto") document.documentElement.removeAttribute("data-theme");
  else document.documentElement.dataset.theme = stored;
  const button = document.getElementById("theme");
  button.setAttribute("aria-label", `Theme: ${stored}`);
  button.title = `Theme: ${stored}`;
  show(button, icon({ auto: "auto", light: "sun", dark: "moon" }[stored]));
  return stored;
}

// A saved file may not have storage.
function readTheme() {
  try {
    const stored = localStorage.getItem("pipeline-theme");
    return THEMES.includes(stored) ? stored : "auto";
  } catch {
    return "auto";
  }
}

function nextTheme() {
  const next = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme ?? "auto") + 1) % THEMES.length];
  try {
    localStorage.setItem("pipeline-theme", next);
  } catch {
    // It then applies until the page is closed.
  }
  theme(next);
}

const CLICKS = {
  skip: () => root.focus(),
  theme: nextTheme,
  ask,
  copy,
  confirm: () => confirm(() => changed(null)),
  filter: (button) => view.toggle(button.dataset.state),
  whole: (button) => view.setWhole(button.dataset.value === "true"),
  "more-runs": () => view.more(),
  "more-events": () => view.more(),
};

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-act]");
  if (button) {
    CLICKS[button.dataset.act](button);
    return;
  }
  const row = event.target.closest?.("[data-href]");
  if (row && !event.target.closest("a") && !String(getSelection())) location.hash = row.dataset.href;
});

document.addEventListener("pointerover", (event) => traceNeeds(event.target));

let searchTimer = 0;
document.addEventListener("input", (event) => {
  if (event.target.id !== "search") return;
  clearTimeout(searchTimer);
  const text = event.target.value;
  searchTimer = setTimeout(() => view.find?.(text), 200);
});

document.addEventListener("keydown", (event) => {
  if (document.getElementById("dialog").open || event.ctrlKey || event.metaKey || event.altKey) return;
  const isTyping = event.target.matches?.("input, textarea, select");
  const search = document.getElementById("search");
  if (event.key === "/" && !isTyping && search) {
    event.preventDefault();
    search.focus();
    search.select();
  } else if (event.key === "Escape") {
    leave(search);
  } else if (event.target === search && event.key === "ArrowDown") {
    event.preventDefault();
    document.querySelector("[data-list=items]").focus();
  } else if (!isTyping) {
    moveInList(event);
  }
});

/** Escape clears the search, and otherwise goes one level up. */
function leave(search) {
  if (search && document.activeElement === search) {
    if (search.value) {
      search.value = "";
      view.find("");
    } else {
      search.blur();
    }
    return;
  }
  const up = view.crumbs().at(-2)?.[1] ?? (view instanceof RunsView ? null : "#/");
  if (up) location.hash = up;
}

function moveInList(event) {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const links = [...document.querySelectorAll("[data-list=links] a")];
  if (!links.length) return;
  const index = links.indexOf(document.activeElement);
  const next = index < 0 ? 0 : Math.max(0, Math.min(links.length - 1, index + (event.key === "ArrowDown" ? 1 : -1)));
  event.preventDefault();
  links[next].focus();
}

theme();
setConnected(true);
addEventListener("hashchange", route);
listen({ changed, connected: (value) => {
  setConnected(value);
  if (value) changed(null);
} });
setInterval(() => {
  if (!document.hidden) view.tick?.();
}, 1000);
route();
