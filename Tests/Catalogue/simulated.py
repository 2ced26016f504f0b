#!/usr/bin/env python3
"""Simulates each file of Pipelines/catalogue on two phones, and compares the table of docs/catalogue.md with the outcome.

usage: Tests/Catalogue/simulated.py [--pipeline PROGRAM] [--items N] [--write] [NAME...]

The scenarios are `standard` (a typical user's days) and `commuter` (a network that comes and goes), whose files are photos and films.
Ends with 1 if the table says something else; --write corrects it instead. With names, the table is printed. A debug build takes about twenty minutes for all, so CI does not run this.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CATALOGUE, PAGE = ROOT / "Pipelines/catalogue", ROOT / "docs/catalogue.md"
SCENARIOS = ("standard", "commuter")
LIMIT = 90  # of one simulation, in seconds
BEGIN, END = "<!-- simulated: Tests/Catalogue/simulated.py --write -->\n", "<!-- end of simulated -->\n"


def simulate(program, file, scenario, items):
    """The report, or what the program complains about."""
    try:
        done = subprocess.run([program, "simulate", file, "--scenario", scenario, "--items", str(items), "--format", "json"],
                              capture_output=True, text=True, timeout=LIMIT)
        return json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        return {"error": f"not done after {LIMIT} s of computing"}
    except json.JSONDecodeError:
        return {"error": (done.stderr or done.stdout or "nothing was printed").strip().splitlines()[0]}


def span(seconds):
    """A time as people say it."""
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.0f} s"


def outcome(report):
    """A cell: when all is done, or what prevents it."""
    if "error" in report:
        return report["error"]
    wasted = report["bytes_wasted"] / max(report["bytes_sent"], 1)
    again = ", ".join(f"`{step}` {count}×" for step, count in report["reissues"].items())
    broken = ", ".join(f"`{one['name']}`" for one in report["properties"] if not one["holds"])
    extra = "".join([f"; {wasted:.0%} of the bytes wasted" if wasted >= 0.01 else "", f"; reissued: {again}" if again else "",
                     f"; violates {broken}" if broken else ""])
    if not report["completed"]:
        return f"nothing is sent: {report['skipped']} of {report['items']} skipped{extra}"
    if report["outcome"] == "finished" and report["completed"] == report["items"]:
        # A run that fits into one opening of the app says nothing of the background.
        short = "" if report["stalls"].keys() - {"answer", "delay", "TX7", "TX24"} else ", in one opening of the app"
        return f"{report['items']} done in {span(report['device_seconds'])}{short}{extra}"
    states = ", ".join(f"{report[state]} {state}" for state in ("completed", "skipped", "paused", "failed", "unfinished") if report[state])
    longest = max(report["stalls"].items(), key=lambda one: one[1], default=("nothing", 0))
    return f"{report['outcome']}: {states} of {report['items']}; held longest by {longest[0]}{extra}"


def table(program, items, names):
    files = [path for path in sorted(CATALOGUE.glob("*.yaml")) if not path.name.endswith(".test.yaml") and (not names or path.stem in names)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        work = {(path, scenario): pool.submit(simulate, program, path, scenario, items) for path in files for scenario in SCENARIOS}
    lines = [f"| pipeline | {' | '.join(SCENARIOS)} |", "|---|---|---|"]
    for path in files:
        cells = [outcome(work[path, scenario].result()) for scenario in SCENARIOS]
        lines.append(f"| [{path.stem}](../Pipelines/catalogue/{path.name}) | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def place(found, begin, end, script, writes):
    """Writes a table between two marks of the page, or compares it with what is there."""
    page = PAGE.read_text()
    if begin not in page:
        print(found, end="")
        sys.exit(f"docs/catalogue.md has no such table: it belongs between {begin.strip()} and {end.strip()}")
    before, rest = page.split(begin)
    old, after = rest.split(end)
    if writes:
        PAGE.write_text(before + begin + found + end + after)
    elif found != old:
        print("".join(line for line in found.splitlines(keepends=True) if line not in old), end="", file=sys.stderr)
        sys.exit(f"docs/catalogue.md says something else: Tests/Catalogue/{script} --write")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pipeline", default=str(ROOT / ".build/release/pipeline"), help="the program")
    parser.add_argument("--items", type=int, default=100, help="the number of files; fewer fit into one opening of the app")
    parser.add_argument("--write", action="store_true", help="write the table instead of comparing it")
    parser.add_argument("names", nargs="*", help="files of the catalogue, without .yaml")
    options = parser.parse_args()
    found = table(options.pipeline, options.items, options.names)
    if options.names:
        print(found, end="")
        return
    place(found, BEGIN, END, "simulated.py", options.write)


if __name__ == "__main__":
    main()
