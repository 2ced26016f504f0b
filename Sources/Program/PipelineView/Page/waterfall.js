import { clock, duration } from "./format.js";
import { h } from "./dom.js";
import { outcome, outcomeLegend } from "./history.js";

const share = (value) => `${(value * 100).toFixed(3)}%`;

const MOST_TRACKS = 5;

/** The attempts and lifetimes of one row, as positioned elements; attempts at the same time are above each other. */
export function lane(attempts, scale, { kinds, turns }) {
  const bars = [];
  for (const attempt of attempts) {
    for (const life of attempt.lives ?? []) bars.push(...lifetime(life, scale));
  }
  const { tracks, trackOf } = pack(attempts);
  for (const attempt of attempts) {
    if (attempt.to < scale.from || attempt.from > scale.to) continue;
    const left = scale.place(attempt.from);
    const width = scale.place(attempt.to) - left;
    const { kind } = outcome(attempt.verdict);
    bars.push(h(`i.bar.${kind}.${placeOf(kinds.get(attempt.step))}`, { title: attemptTitle(attempt, turns), style: { left: share(left), width: share(width), ...trackStyle(trackOf.get(attempt), tracks) } }));
  }
  return bars;
}

/** The track of each attempt: the first one that is free when it starts. */
function pack(attempts) {
  const ends = [];
  const trackOf = new Map();
  for (const attempt of [...attempts].sort((a, b) => a.from - b.from)) {
    const free = ends.findIndex((end) => end <= attempt.from + 1);
    const track = free >= 0 ? free : Math.min(ends.length, MOST_TRACKS - 1);
    ends[track] = Math.max(ends[track] ?? 0, attempt.to);
    trackOf.set(attempt, track);
  }
  return { tracks: ends.length, trackOf };
}

function trackStyle(track, tracks) {
  if (tracks < 2) return {};
  const height = 62 / tracks;
  return { top: `${(10 + track * height).toFixed(1)}%`, height: `${(height - 4).toFixed(1)}%`, "border-radius": "2px" };
}

/** Where the time of a step passes: on this machine, in a short request, or in a transfer. */
function placeOf(kind) {
  if (kind === "materialize" || kind === "digest") return "local";
  return kind === "upload" || kind === "download" ? "transfer" : "short";
}

function lifetime(life, scale) {
  if (life.to < scale.from || life.from > scale.to) return [];
  const left = scale.place(life.from);
  const stale = scale.place(Math.min(life.stale, life.to));
  const right = scale.place(life.to);
  const title = `${life.name} valid until ${clock(life.to)} (${duration((life.to - life.from) / 1000)})`;
  return [
    h("i.life", { title, style: { left: share(left), width: share(stale - left) } }),
    right > stale ? h("i.life.stale", { title: `${title}; renewed before it is used`, style: { left: share(stale), width: share(right - stale) } }) : null,
  ];
}

function attemptTitle(attempt, turns) {
  const again = [
    attempt.generation > 1 ? `${turns.has(attempt.step) ? "turn" : "generation"} ${attempt.generation}` : "", attempt.attempt > 1 ? `attempt ${attempt.attempt}` : "",
    attempt.part !== undefined ? `part ${attempt.part}` : "",
  ].filter(Boolean).join(", ");
  return [
    `${attempt.step}${again ? ` (${again})` : ""}: ${outcome(attempt.verdict).words}`, attempt.http ? `status ${attempt.http}` : "",
    duration((attempt.to - attempt.from) / 1000), `at ${clock(attempt.from, true)}`,
  ].filter(Boolean).join(" · ");
}

/** Hatched areas where no process was running. */
export function gapAreas(scale, withLabels = false) {
  return scale.segments.filter((segment) => segment.gap).map((segment) => {
    const left = scale.place(segment.start);
    const width = scale.place(segment.stop) - left;
    const words = `${segment.gap.kind === "paused" ? "paused" : "no process"} · ${duration((segment.gap.to - segment.gap.from) / 1000)}`;
    return h(`i.gap${segment.gap.isCompressed ? ".compressed" : ""}`, { title: words, style: { left: share(left), width: share(width) } },
      withLabels && width > 0.03 ? h("b", null, words) : null);
  });
}

export function axis(scale, most = 8) {
  const gaps = scale.segments.filter((segment) => segment.gap?.isCompressed).map((segment) => ({
    at: (scale.place(segment.start) + scale.place(segment.stop)) / 2, label: duration((segment.gap.to - segment.gap.from) / 1000),
  }));
  const ticks = scale.ticks(most).filter((tick) => !gaps.some((gap) => Math.abs(gap.at - tick.at) < 0.07));
  const label = (kind) => (tick) => h(`i.${kind}${tick.at > 0.93 ? ".last" : ""}`, { style: { left: share(tick.at) } }, h("span", null, tick.label));
  return [ticks.map(label("tick")), gaps.map(label("tick.absent"))];
}

export function gridLines(scale, most = 8) {
  return scale.ticks(most).map((tick) => h("i.grid", { style: { left: share(tick.at) } }));
}

export function legend(kinds = null) {
  const shown = outcomeLegend.filter(([kind]) => kind !== "success" && (!kinds || kinds.has(kind)));
  return h("ul.legend", { "aria-label": "Legend" },
    h("li", null, h("i.bar.success.transfer", { "aria-hidden": "true" }), "transfer"), h("li", null, h("i.bar.success.short", { "aria-hidden": "true" }), "request"),
    h("li", null, h("i.bar.success.local", { "aria-hidden": "true" }), "on this machine"),
    shown.map(([kind, words]) => h("li", null, h(`i.bar.${kind}`, { "aria-hidden": "true" }), words)),
    h("li", null, h("i.life", { "aria-hidden": "true" }), "lifetime of an ID or token"),
    h("li", null, h("i.gap", { "aria-hidden": "true" }), "no process"));
}
