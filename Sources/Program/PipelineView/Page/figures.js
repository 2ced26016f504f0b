import { h, table, tableRow } from "./dom.js";
import { count, duration, plural } from "./format.js";
import { quantiles } from "./history.js";

const FIRST_CAUSES = 6;
const MOST_CAUSES_SHOWN = 40;

/** Status codes and durations by step. */
export function responseTable(steps, history) {
  const known = steps.map((step) => history.steps.get(step.id));
  const figures = known
    .filter((step) => step && (step.codes.size || step.samples.length > 2))
    .map((step) => [step, quantiles(step.samples)]);
  if (!figures.length) return h("div.panel", null, h("p.empty", null, "No responses yet."));
  const slowest = Math.max(1e-6, ...figures.map(([, times]) => times?.p95 ?? 0));
  const columns = [["Step"], ["Status codes"], ["Median", "n"], ["p95", "n"], [h("span.hidden", null, "Spread"), "spread"]];
  const rows = figures.map(([step, times]) => tableRow("", [
    [step.id, "head"], [codes(step)],
    [times ? duration(times.median) : "–", "n"], [times ? duration(times.p95) : "–", "n"],
    [times ? spread(times, slowest) : null, "spread"],
  ]));
  return table("Table of responses and times", columns, rows, "responses");
}

function codes(step) {
  const parts = [...step.codes].sort(([a], [b]) => a - b).map(([code, number]) => {
    const kind = code >= 500 ? ".server" : code >= 400 ? ".client" : "";
    return h(`span.code-count${kind}`, { "data-key": String(code) }, h("b.code", null, code), ` ${count(number)}`);
  });
  if (step.noResponse) {
    const title = "attempts without a response";
    parts.push(h("span.code-count.server", { "data-key": "none", title }, h("b.code", null, "none"), ` ${count(step.noResponse)}`));
  }
  return parts;
}

/** A line from the shortest duration to the 95th percentile, with a mark at the median. */
function spread(times, slowest) {
  const place = (value) => String(value / slowest);
  const style = { "--low": place(times.low), "--median": place(times.median), "--high": place(times.p95) };
  return h("span.spread-bar", { "aria-hidden": "true", style });
}

/** Why attempts were repeated and results issued again, the most frequent causes first. */
export function causePanel(history) {
  const causes = [...history.causes.values()].sort((a, b) => b.count - a.count);
  if (!causes.length) return h("div.panel", null, h("p.empty", null, "Nothing had to be repeated."));
  const most = causes[0].count;
  const rest = causes.slice(FIRST_CAUSES, MOST_CAUSES_SHOWN);
  return h("div.panel", null,
    causeList(causes.slice(0, FIRST_CAUSES), most),
    rest.length ? h("details", { "data-key": "rest" },
      h("summary", null, plural(causes.length - FIRST_CAUSES, "more cause")), causeList(rest, most)) : null);
}

function causeList(causes, most) {
  return h("ul.causes", null, causes.map((cause) => {
    const effect = cause.type === "renewal" ? "issued again" : "repeated";
    return h(`li.${cause.type}`, { "data-key": `${cause.type} ${cause.step} ${cause.text}` },
      h("b", null, count(cause.count)),
      h("span", null, h("small", null, `${cause.step} ${effect}`), cause.text.replace(/^step '[^']+': /, "")),
      h("i.bar-line", { "aria-hidden": "true", style: { "--share": String(cause.count / most) } }));
  }));
}
