// A time scale whose gaps without a process are narrow: a night between two processes must not hide the work around it.

const WIDEST_GAP = 0.09;

/**
 * `place(time)` is a share of the width, from 0 to 1. `gaps` are `{ from, to }` in order; those that are longer than their
 * share of the width are compressed.
 */
export function timeScale(from, to, gaps = []) {
  const end = Math.max(to, from + 1);
  const inside = gaps
    .map((gap) => ({ ...gap, from: Math.max(from, gap.from), to: Math.min(end, gap.to) }))
    .filter((gap) => gap.to > gap.from);
  const worked = end - from - inside.reduce((sum, gap) => sum + gap.to - gap.from, 0);
  // As many gaps as fit into half of the width, at most `WIDEST_GAP` each.
  const widest = Math.min(WIDEST_GAP, 0.5 / Math.max(1, inside.length));
  const whole = Math.max(worked, 1);
  const cap = widest * whole / (1 - Math.min(0.5, widest * inside.length));
  const segments = [];
  let cursor = from;
  let length = 0;
  const add = (start, stop, size, gap) => {
    if (stop > start) segments.push({ start, stop, offset: length, size, gap });
    length += stop > start ? size : 0;
  };
  for (const gap of inside) {
    add(cursor, gap.from, gap.from - cursor, null);
    const isCompressed = gap.to - gap.from > cap;
    add(gap.from, gap.to, isCompressed ? cap : gap.to - gap.from, { ...gap, isCompressed });
    cursor = gap.to;
  }
  add(cursor, end, end - cursor, null);
  return { from, to: end, segments, place: (time) => placeIn(segments, length, time), ticks: (most) => ticksOf(segments, length, from, most) };
}

/** The time between two times without the gaps between them. */
export function spanWithoutGaps(from, to, gaps) {
  return to - from - gaps.reduce((sum, gap) => sum + Math.max(0, Math.min(to, gap.to) - Math.max(from, gap.from)), 0);
}

function placeIn(segments, length, time) {
  if (!segments.length || length <= 0) return 0;
  if (time <= segments[0].start) return 0;
  for (const segment of segments) {
    if (time <= segment.stop) {
      return (segment.offset + (time - segment.start) / (segment.stop - segment.start) * segment.size) / length;
    }
  }
  return 1;
}

const STEPS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 10e3, 15e3, 30e3, 60e3, 120e3, 300e3, 600e3, 900e3, 1800e3,
  3600e3, 7200e3, 14400e3, 21600e3, 43200e3, 86400e3, 172800e3, 604800e3, 2592000e3,
];

/** Ticks at round times since the start, `most` at most; none inside compressed gaps. */
function ticksOf(segments, length, from, most) {
  const step = STEPS.find((value) => length / value <= most) ?? STEPS.at(-1);
  const ticks = [];
  for (const segment of segments) {
    if (segment.gap?.isCompressed) continue;
    const first = Math.ceil((segment.start - from) / step - 1e-9);
    for (let index = first; from + index * step <= segment.stop; index += 1) {
      ticks.push({ at: placeIn(segments, length, from + index * step), label: tickLabel(index * step, step) });
    }
  }
  const apart = 0.6 / most;
  return ticks.filter((tick, index) => index === 0 || tick.at - ticks[index - 1].at > apart);
}

function tickLabel(milliseconds, step) {
  if (milliseconds === 0) return "0";
  if (step < 1000 && milliseconds < 1000) return `${milliseconds} ms`;
  const seconds = milliseconds / 1000;
  if (step < 1000) return `${seconds.toFixed(step < 100 ? 2 : 1)} s`;
  if (seconds < 120) return `${seconds} s`;
  if (step < 60e3) return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} min`;
  if (seconds < 7200) return `${seconds / 60} min`;
  if (seconds < 172800) return `${+(seconds / 3600).toFixed(2)} h`;
  return `${+(seconds / 86400).toFixed(2)} d`;
}
