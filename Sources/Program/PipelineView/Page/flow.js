import { count, plural } from "./format.js";
import { h, icon } from "./dom.js";

/** The steps as a diagram: in order, with loops, parts, and turns as boxes around their steps. */
export function flowDiagram(steps, history, status) {
  const inProgress = history.inProgress();
  const context = { history, status, inProgress, steps, ids: new Set(steps.map((step) => step.id)) };
  const loops = new Set(steps.map((step) => step.loop).filter((loop) => loop !== null && loop !== undefined));
  const nodes = [];
  for (let index = 0; index < steps.length;) {
    const step = steps[index];
    if (step.loop === null || step.loop === undefined) {
      const inside = descendants(steps, index);
      nodes.push(h("li", { "data-key": step.id }, node(step, inside, context)));
      index += 1 + inside.length;
      continue;
    }
    let end = index;
    while (end < steps.length && steps[end].loop === step.loop) end += 1;
    nodes.push(h("li", { "data-key": `loop ${step.loop}` }, loopBox(step.loop, steps.slice(index, end), loops.size, context)));
    index = end;
  }
  return h("ol.flow", { "aria-label": "Steps in order" }, nodes);
}

function descendants(steps, index) {
  const ids = new Set([steps[index].id]);
  const found = [];
  for (let next = index + 1; next < steps.length; next += 1) {
    const step = steps[next];
    if (!ids.has(step.part_of) && !ids.has(step.turn_of)) break;
    ids.add(step.id);
    found.push(step);
  }
  return found;
}

function loopBox(loop, steps, loops, context) {
  const name = loops > 1 ? `Each item of loop ${loop}` : "Each item";
  const total = loops > 1 ? "" : plural(allOf(context.status.items), "item");
  return h("section.box.loop", { "aria-label": name },
    h("header", null, icon("for_each"), h("b", null, name), h("small", null, total)),
    h("ol", null, nested(steps, context)));
}

function nested(steps, context) {
  const nodes = [];
  for (let index = 0; index < steps.length;) {
    const inside = descendants(steps, index);
    nodes.push(h("li", { "data-key": steps[index].id }, node(steps[index], inside, context)));
    index += 1 + inside.length;
  }
  return nodes;
}

function node(step, inside, context) {
  if (!inside.length) return stepCard(step, context);
  const isParts = inside.some((other) => other.part_of === step.id);
  const figures = figuresOf(step, context);
  return h(`section.box.${isParts ? "parts" : "turns"}`, { "aria-label": `${isParts ? "Each part" : "Each turn"} of ${step.id}` },
    h("header", null, icon(isParts ? "for_each" : "repeat"), h("b", null, step.id),
      h("small", null, `${isParts ? "each part" : "each turn"}${figures.done ? ` · ${count(figures.done)} done` : ""}`)),
    h("ol", null, nested(inside, context)));
}

function figuresOf(step, context) {
  const known = context.history.steps.get(step.id);
  return {
    done: known?.done ?? 0, failed: known?.failed ?? 0, repeated: known?.repeated ?? 0,
    active: context.inProgress.get(step.id) ?? 0,
  };
}

function stepCard(step, context) {
  const figures = figuresOf(step, context);
  const needs = step.needs.filter((id) => context.ids.has(id));
  const isWorking = context.status.worked_on;
  const state = figures.failed ? "failed" : figures.active ? (isWorking ? "active" : "interrupted") : figures.done ? "done" : "pending";
  const most = Math.max(figures.done + figures.failed + figures.active, 1);
  return h(`article.step.${state}`, { "data-step": step.id, "data-needs": needs.join(" "), title: needs.length ? `uses ${needs.join(", ")}` : null },
    h("header", null, icon(step.kind), h("b", null, step.id), h("small", null, step.kind.replaceAll("_", " "))),
    h("div.meter", { "aria-hidden": "true" },
      part("done", figures.done / most), part("active", figures.active / most), part("failed", figures.failed / most)),
    h("ul.counts", null,
      h("li", null, `${count(figures.done)} done`),
      figures.active > 0 ? h("li.active", null, `${count(figures.active)} ${isWorking ? "in progress" : "interrupted"}`) : null,
      figures.repeated > 0 ? h("li.repeated", null, `${count(figures.repeated)} repeated`) : null,
      figures.failed > 0 ? h("li.failed", null, `${count(figures.failed)} failed`) : null),
    needs.length ? h("p.hidden", null, `uses ${needs.join(", ")}`) : null);
}

/** Highlights the step under the pointer and those whose results it uses. */
export function traceNeeds(target) {
  const card = target.closest?.(".step") ?? null;
  for (const flow of document.querySelectorAll(".flow")) {
    const needs = card && flow.contains(card) ? card.dataset.needs.split(" ").filter(Boolean) : [];
    flow.toggleAttribute("data-keep-tracing", needs.length > 0);
    for (const step of flow.querySelectorAll(".step")) {
      step.toggleAttribute("data-keep-traced", needs.length > 0 && (step === card || needs.includes(step.dataset.step)));
    }
  }
}

function part(kind, size) {
  return size > 0 ? h(`i.${kind}`, { style: { "flex-grow": String(size) } }) : null;
}

const allOf = (items) => Object.values(items ?? {}).reduce((sum, value) => sum + value, 0);
