import { generalReason, instant } from "./format.js";

// A run's history as figures. Memory stays constant: a run of a million items has millions of events, so only figures and
// the attempts of the items that were active most recently are kept.

const MOST_ATTEMPTS = 24000;
const MOST_POINTS = 600;
const MOST_SAMPLES = 1000;
const MOST_RUN_EVENTS = 600;
const MOST_CAUSES = 200;

const GROUPS = new Set(["repeat", "for_each"]);

const OUTCOMES = {
  success: ["success", "done"], results: ["success", "done"], item_done: ["success", "item done"],
  retry: ["retry", "failed, to be repeated"], unavailable: ["retry", "unavailable, to be repeated"],
  expired: ["expired", "result expired"], fail: ["failed", "failed"],
  pause: ["paused", "paused the item"], pause_run: ["paused", "paused the run"],
  unknown: ["lost", "outcome unknown"], stale: ["lost", "connection closed"], interrupted: ["lost", "interrupted"],
  poll: ["poll", "not ready yet"], not_done: ["probe", "probe: did not take effect"], item_skipped: ["poll", "item skipped"],
};

/** The class and the words of a verdict; verdicts of later versions are shown by name. */
export function outcome(verdict) {
  const [kind, words] = OUTCOMES[verdict] ?? ["poll", (verdict ?? "").replaceAll("_", " ")];
  return { kind, words };
}

export const outcomeLegend = [
  ["success", "done"], ["retry", "to be repeated"], ["expired", "expired"], ["failed", "failed"], ["lost", "outcome unknown"],
  ["probe", "probe: not done"], ["poll", "not ready yet"],
];

/** One attempt as it is drawn. */
export function attemptOf(event) {
  const to = instant(event.at);
  const from = to - (event.seconds ?? 0) * 1000;
  const lives = [];
  for (const [name, output] of Object.entries(event.outputs ?? {})) {
    if (output.expires) lives.push({ name, from: to, stale: instant(output.stale ?? output.expires), to: instant(output.expires) });
  }
  return {
    step: event.step ?? "undo", from, to, verdict: event.verdict, http: event.http_status, attempt: event.attempt,
    generation: event.generation ?? 1, part: event.part, lives: lives.length ? lives : null,
  };
}

/** When the results of each step were replaced, their lifetimes end. */
export function endLives(attempts) {
  const latest = new Map();
  for (const attempt of attempts) {
    if (outcome(attempt.verdict).kind !== "success") continue;
    const key = `${attempt.step} ${attempt.part ?? ""}`;
    const before = latest.get(key);
    if (before?.lives) for (const life of before.lives) life.to = Math.max(life.from, Math.min(life.to, attempt.to));
    latest.set(key, attempt);
  }
}

export class RunHistory {
  constructor(steps) {
    this.sequence = 0;
    this.events = 0;
    this.isComplete = false;
    this.start = NaN;
    this.last = NaN;
    this.beforeLast = NaN;
    this.pauseRequested = false;
    this.processes = 0;
    this.gaps = [];
    this.points = [];
    this.pointWidth = 10;
    this.items = 0;
    this.bytes = 0;
    this.steps = new Map();
    this.causes = new Map();
    this.runAttempts = [];
    this.attempts = new Map();
    this.attemptCount = 0;
    this.open = new Map();
    this.setSteps(steps);
  }

  setSteps(steps) {
    this.kinds = new Map(steps.map((step) => [step.id, step.kind]));
    this.turns = new Set(steps.filter((step) => step.turn_of || step.kind === "repeat").map((step) => step.id));
    this.firsts = new Map();
    this.finals = new Map();
    for (const step of steps) {
      if (step.loop === null || step.loop === undefined || step.part_of || step.turn_of) continue;
      if (!this.firsts.has(step.loop)) this.firsts.set(step.loop, step.id);
      this.finals.set(step.loop, step.id);
    }
    this.nextOf = new Map();
    let previous = null;
    for (const step of steps) {
      if (step.part_of || step.turn_of) continue;
      if (previous && previous.loop === step.loop) this.nextOf.set(previous.id, step.id);
      previous = step;
    }
  }

  add(events) {
    const after = this.sequence;
    const isCut = this.events > 0 && events.length >= 5000 && events[0].sequence > after + 1;
    if (isCut) this.isComplete = false;
    for (const event of events) if (event.sequence > after) this.addOne(event);
  }

  /** The start of the run, which may be before the first event that was read. */
  setStart(began) {
    if (!(this.start <= began)) this.start = began;
  }

  addOne(event) {
    const time = instant(event.at);
    if (this.events === 0) {
      this.points.push({ at: time, items: 0, bytes: 0 });
      this.isComplete = event.sequence === 1;
      if (!(this.start <= time)) this.start = time;
    }
    if (event.sequence !== this.sequence) this.beforeLast = this.last;
    this.events += 1;
    this.sequence = Math.max(this.sequence, event.sequence);
    this.last = Number.isNaN(this.last) ? time : Math.max(this.last, time);
    if (event.event === "concluded") this.conclude(event);
    else if (event.event === "moved" && event.to > event.from) this.move(event);
    else this.control(event, time);
  }

  control(event, time) {
    if (event.event === "pause_requested") this.pauseRequested = true;
    // Every process records its limits first; one that cancels a run does not record that it resumes it.
    if (event.event !== "limits_known" && event.event !== "run_resumed") return;
    if (event.sequence === this.processSequence) return;
    this.processSequence = event.sequence;
    this.processes += 1;
    if (this.beforeLast < time) {
      const kind = this.pauseRequested ? "paused" : this.open.size > 0 ? "interrupted" : "ended";
      this.gaps.push({ from: this.beforeLast, to: time, kind });
      if (this.gaps.length > 100) this.gaps.shift();
    }
    this.pauseRequested = false;
  }

  move(event) {
    this.bytes += event.to - event.from;
    this.point(instant(event.at));
  }

  conclude(event) {
    const { kind } = outcome(event.verdict);
    const step = this.stepFigures(event.step ?? "undo");
    const isProbe = event.verdict === "not_done";
    if (kind === "success") step.done += 1;
    else if (kind === "failed" || kind === "paused") step.failed += 1;
    if (!isProbe && kind !== "poll") step.attempts += 1;
    // A turn is a generation of its own, but only a generation with a reason is a repetition.
    if (!isProbe && kind !== "poll" && (event.attempt > 1 || event.again)) step.repeated += 1;
    if (event.http_status) step.codes.set(event.http_status, (step.codes.get(event.http_status) ?? 0) + 1);
    else if (kind === "lost" || kind === "retry") step.noResponse += 1;
    if (event.seconds !== undefined && event.seconds > 0) sample(step, event.seconds);
    this.cause(event, kind);
    const attempt = attemptOf(event);
    if (event.item) {
      this.remember(event.item, attempt);
      this.follow(event, kind);
    } else {
      this.runAttempts.push(attempt);
      if (this.runAttempts.length > MOST_RUN_EVENTS) this.runAttempts.shift();
      endLives(this.runAttempts.slice(-20));
    }
  }

  stepFigures(id) {
    let step = this.steps.get(id);
    if (!step) {
      step = { id, done: 0, failed: 0, attempts: 0, repeated: 0, noResponse: 0, codes: new Map(), samples: [], seen: 0 };
      this.steps.set(id, step);
    }
    return step;
  }

  cause(event, kind) {
    if (event.again) this.count("renewal", event.again, event);
    if (event.reason && (kind === "retry" || kind === "lost")) this.count("repeat", event.reason, event);
  }

  count(type, reason, event) {
    const text = generalReason(reason);
    const key = `${type} ${event.step ?? ""} ${text}`;
    const known = this.causes.get(key);
    if (known) known.count += 1;
    else if (this.causes.size < MOST_CAUSES) this.causes.set(key, { type, step: event.step ?? "", text, count: 1 });
  }

  /** Where an item is: the step after the one that succeeded last. */
  follow(event, kind) {
    const loop = Number(event.item.split("/")[0]);
    if (!event.step || event.compensation) return;
    const isFinal = event.part === undefined && (event.step === this.finals.get(loop) && !GROUPS.has(this.kinds.get(event.step)) || event.verdict === "item_done");
    if (kind === "failed" || kind === "paused") {
      this.open.delete(event.item);
    } else if (kind === "success" && isFinal) {
      this.open.delete(event.item);
      this.items += 1;
      this.point(instant(event.at));
    } else {
      const step = kind === "success" ? this.nextOf.get(event.step) ?? event.step : event.step;
      this.open.delete(event.item);
      this.open.set(event.item, step);
      if (this.open.size > MOST_ATTEMPTS) this.open.delete(this.open.keys().next().value);
    }
  }

  /** The curves are cumulative, so leaving out every second point keeps the others exact. */
  point(at) {
    const last = this.points.at(-1);
    if (last && at - last.at < this.pointWidth) {
      last.items = this.items;
      last.bytes = this.bytes;
      return;
    }
    this.points.push({ at, items: this.items, bytes: this.bytes });
    if (this.points.length > MOST_POINTS) {
      this.points = this.points.filter((_, index) => index % 2 === 0);
      this.pointWidth *= 2;
    }
  }

  /** Least recently active items are forgotten first; their rows fetch their history when they are visible. */
  remember(item, attempt) {
    const known = this.attempts.get(item);
    // Attempts of an item that is known in part only would hide the ones before them.
    if (!known && !this.isComplete && !this.isFirst(item, attempt)) return;
    this.attempts.delete(item);
    const list = known ?? [];
    list.push(attempt);
    this.attempts.set(item, list);
    this.attemptCount += 1;
    while (this.attemptCount > MOST_ATTEMPTS) {
      const [oldest, forgotten] = this.attempts.entries().next().value;
      this.attempts.delete(oldest);
      this.attemptCount -= forgotten.length;
      this.isComplete = false;
    }
  }

  isFirst(item, attempt) {
    return attempt.step === this.firsts.get(Number(item.split("/")[0])) && attempt.generation === 1 && attempt.attempt === 1;
  }

  /** Steps may be left out, so the end of an item is not always an event: those that were active least recently have ended. */
  reconcile(active) {
    while (this.open.size > active) this.open.delete(this.open.keys().next().value);
  }

  /** The number of items that are done, over time: if their ends are not events, from their last attempts. */
  itemCurve(done) {
    if (!this.isComplete || this.items === done) return this.points.map((point) => [point.at, point.items]);
    if (this.curve?.events === this.events) return this.curve.points;
    const ends = [];
    for (const [item, list] of this.attempts) if (!this.open.has(item)) ends.push(list.at(-1).to);
    ends.sort((a, b) => a - b);
    const every = Math.max(1, Math.ceil(ends.length / MOST_POINTS));
    const points = [[this.start, 0]];
    ends.forEach((at, index) => {
      if ((index + 1) % every === 0 || index === ends.length - 1) points.push([at, index + 1]);
    });
    this.curve = { events: this.events, points };
    return points;
  }

  inProgress() {
    const counts = new Map();
    for (const step of this.open.values()) counts.set(step, (counts.get(step) ?? 0) + 1);
    return counts;
  }
}

/** A reservoir: every attempt has the same probability of being among the samples. */
function sample(step, seconds) {
  step.seen += 1;
  if (step.samples.length < MOST_SAMPLES) step.samples.push(seconds);
  else {
    const index = Math.floor(Math.random() * step.seen);
    if (index < MOST_SAMPLES) step.samples[index] = seconds;
  }
}

export function quantiles(samples) {
  if (!samples.length) return null;
  const sorted = [...samples].sort((a, b) => a - b);
  const rank = (share) => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
  return { low: sorted[0], median: rank(0.5), p95: rank(0.95) };
}

let latest = null;

/** The history of a run, which its page and the pages of its items share. */
export function historyFor(run, steps) {
  if (latest?.run !== run) latest = { run, history: new RunHistory(steps) };
  return latest.history;
}
