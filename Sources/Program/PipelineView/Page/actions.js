import { act, isSaved } from "./data.js";
import { h, icon, show } from "./dom.js";
import { plural, quoted } from "./format.js";

// Each action is confirmed in a dialog, which then shows what came of it.

const TEXTS = {
  pause: (run) => ({
    title: "Pause this run?", confirm: "Pause",
    text: "It stops at its next checkpoint. Nothing is lost, and it can be resumed at any time.", command: `pipeline pause ${quoted(run)}`,
  }),
  resume: (run) => ({
    title: "Resume this run?", confirm: "Resume", text: "A new process continues after the last checkpoint.", command: `pipeline resume ${quoted(run)}`,
  }),
  cancel: (run) => ({
    title: "Cancel this run?", confirm: "Cancel the run", dismiss: "Keep the run", isDangerous: true,
    text: "Items in progress are abandoned, and their effects on the server are undone. Items that are done stay. This cannot be reverted.",
    command: `pipeline cancel ${quoted(run)}`,
  }),
  retry: (run, { items, cause, number }) => ({
    title: items ? (items.length === 1 ? "Retry this item?" : `Retry ${plural(items.length, "item")}?`)
      : cause ? `Retry ${number ? plural(number, "item") : "all items"} with this cause?` : "Retry all paused and failed items?",
    confirm: "Retry", text: cause ? `All paused and failed items whose reason contains “${cause}” are tried again.`
      : items?.length === 1 ? "It continues with the step that failed." : "Each item continues with the step that failed.",
    command: ["pipeline retry", quoted(run), ...(items ?? []), ...(cause ? ["--cause", quoted(cause)] : [])].join(" "),
  }),
};

export function actionButton(action, run, words, details = {}, look = "") {
  if (isSaved) return null;
  return h(`button${look}`, {
    type: "button", "data-act": "ask", "data-action": action, "data-run": run, "data-details": JSON.stringify(details),
  }, words);
}

export function copyButton(command) {
  return h("div.command", null, h("code", null, command),
    h("button.quiet", { type: "button", "data-act": "copy", "data-text": command, "aria-label": `Copy the command ${command}`, title: "Copy" }, icon("copy")));
}

export function ask(button) {
  const { action, run } = button.dataset;
  const details = JSON.parse(button.dataset.details);
  const texts = TEXTS[action](run, details);
  const dialog = document.getElementById("dialog");
  show(dialog, h("form", { method: "dialog" },
    h("h2", { id: "dialog-title" }, texts.title), h("p", null, texts.text),
    h("p.aside", null, "The same on the command line:"), h("code.block", null, texts.command),
    h("div.buttons", null, h("button", { value: "no" }, texts.dismiss ?? "Close"),
      h(`button.${texts.isDangerous ? "danger" : "primary"}`, { type: "button", "data-act": "confirm" }, texts.confirm))));
  const body = action === "retry" ? { ...(details.items ? { items: details.items } : {}), ...(details.cause ? { cause: details.cause } : {}) } : {};
  dialog.pending = { action, run, body, title: texts.confirm };
  if (!dialog.open) dialog.showModal();
  dialog.querySelector(texts.isDangerous ? "[value=no]" : "[data-act=confirm]").focus();
}

export async function confirm(done) {
  const dialog = document.getElementById("dialog");
  const { action, run, body } = dialog.pending;
  const button = dialog.querySelector("[data-act=confirm]");
  button.disabled = true;
  button.textContent = "Working …";
  let failed = false;
  let message;
  try {
    message = (await act(run, action, body)) || "Done.";
  } catch (error) {
    failed = true;
    message = error.message;
  }
  show(dialog, h("form", { method: "dialog" },
    h("h2", { id: "dialog-title" }, failed ? "That did not work" : "Requested"),
    h(`p.result.${failed ? "failed" : "done"}`, { role: "status" }, icon(failed ? "failed" : "done"), h("span", null, message)),
    h("div.buttons", null, h("button.primary", { value: "ok" }, "Close"))));
  dialog.querySelector("[value=ok]").focus();
  announce(message);
  done();
}

export async function copy(button) {
  const text = button.dataset.text;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // A saved file may not use the clipboard: the command is selected instead.
    getSelection().selectAllChildren(button.parentElement.querySelector("code"));
    announce("Selected; copy it with Ctrl-C");
    return;
  }
  button.classList.add("copied");
  show(button, icon("done"));
  announce("Copied");
  setTimeout(() => {
    button.classList.remove("copied");
    show(button, icon("copy"));
  }, 1600);
}

export function announce(text) {
  const region = document.getElementById("announce");
  if (region.textContent !== text) region.textContent = text;
}
