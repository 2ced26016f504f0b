import { bytes, count } from "./format.js";
import { h } from "./dom.js";
import { axis, gapAreas } from "./waterfall.js";

const HEIGHT = 100;
const WIDTH = 1000;

/**
 * Items and bytes over time. The curves come from the history and end at the figures of `status`, which also count what
 * the history that was read does not contain.
 */
export function progressChart(history, status, scale) {
  const points = history.points;
  const items = (status.items?.done ?? 0);
  const moved = status.bytes_moved ?? 0;
  if (points.length < 2) return h("p.empty", null, "The curve appears when items are done.");
  const itemCurve = fit(history.itemCurve(items), items, history);
  const byteCurve = fit(points.map((point) => [point.at, point.bytes]), moved, history);
  const mostItems = Math.max(items, 1);
  const mostBytes = Math.max(moved, 1);
  const itemPath = path(itemCurve, scale, mostItems, history.isComplete);
  return h("div.chart", null,
    h("div.plot", { role: "img", "aria-label": `${count(items)} items done and ${bytes(moved)} moved over time` },
      gapAreas(scale),
      h("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
        [0.25, 0.5, 0.75].map((level) => h("line.rule", { x1: 0, x2: WIDTH, y1: HEIGHT * level, y2: HEIGHT * level })),
        h("path.area", { d: `${itemPath}V${HEIGHT}H${startX(itemCurve, scale)}Z` }),
        h("path.curve", { d: itemPath }),
        moved > 0 ? h("path.curve.bytes", { d: path(byteCurve, scale, mostBytes, history.isComplete) }) : null)),
    h("div.axis", { "aria-hidden": "true" }, axis(scale, 6)),
    h("ul.legend", null,
      h("li", null, h("i.line", { "aria-hidden": "true" }), `items done, ${count(items)}`),
      moved > 0 ? h("li", null, h("i.line.bytes", { "aria-hidden": "true" }), `bytes moved, ${bytes(moved)}`) : null));
}

function fit(curve, end, { isComplete, start }) {
  const counted = curve.at(-1)[1];
  if (isComplete && counted > 0) return curve.map(([at, value]) => [at, value * end / counted]);
  const before = end - counted;
  return [[start, 0], ...curve.map(([at, value]) => [at, Math.max(0, value + before)])];
}

const startX = (curve, scale) => (scale.place(curve[0][0]) * WIDTH).toFixed(1);

/** A level stays until the next point. What happened before the events that were read is a straight line. */
function path(curve, scale, most, isComplete) {
  let text = "";
  for (const [index, [at, value]] of curve.entries()) {
    const x = (scale.place(at) * WIDTH).toFixed(1);
    const y = (HEIGHT - value / most * (HEIGHT - 6)).toFixed(1);
    if (index === 0) text = `M${x},${y}`;
    else text += index === 1 && !isComplete ? `L${x},${y}` : `H${x}V${y}`;
  }
  return `${text}H${(scale.place(Math.max(curve.at(-1)[0], scale.now ?? 0)) * WIDTH).toFixed(1)}`;
}
