#!/usr/bin/env python3
"""Verifies each file of Pipelines/catalogue, and compares the table of assumptions in docs/catalogue.md with the certificates.

usage: Tests/Catalogue/assumed.py [--pipeline PROGRAM] [--pairs N] [--write]

Each fault is tried alone, which finds all assumptions and takes two minutes with a debug build; --pairs also tries N pairs of faults.
Ends with 1 if the table says something else, which --write corrects, or if a file has a counterexample.
"""

import argparse
import json
import re
import subprocess
import sys

from simulated import CATALOGUE, ROOT, place

BEGIN, END = "<!-- assumed: Tests/Catalogue/assumed.py --write -->\n", "<!-- end of assumed -->\n"


def certificate(program, file, pairs):
    done = subprocess.run([program, "verify", file, "--pairs", str(pairs), "--format", "json"], capture_output=True, text=True)
    report = json.loads(done.stdout)["pipelines"][0]
    if report["counterexamples"]:
        sys.exit(f"{file.name} has a counterexample:\n{done.stdout}")
    return report


def row(file, report):
    """The steps that rely on each of the two most frequent assumptions, then all others in the certificate's words."""
    repeated, own, others = [], [], []
    for step in report["steps"]:
        for words in step["assumptions"]:
            if re.match("a repeated .* is harmless", words):
                repeated.append(f"`{step['id']}`")
            elif re.match("a 2xx response to '.*' is from the server itself", words):
                own.append(f"`{step['id']}`")
            else:
                others.append(f"`{step['id']}`: {words}")
    cells = [", ".join(repeated), ", ".join(own), "; ".join(others)]
    return f"| [{file.stem}](../Pipelines/catalogue/{file.name}) | {' | '.join(cell or '–' for cell in cells)} |\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pipeline", default=str(ROOT / ".build/debug/pipeline"), help="the program")
    parser.add_argument("--pairs", type=int, default=0)
    parser.add_argument("--write", action="store_true", help="write the table instead of comparing it")
    options = parser.parse_args()
    files = [file for file in sorted(CATALOGUE.glob("*.yaml")) if not file.name.endswith(".test.yaml")]
    found = "| file | a repeat is harmless | a 2xx response is from the server itself | other assumptions |\n|---|---|---|---|\n"
    found += "".join(row(file, certificate(options.pipeline, file, options.pairs)) for file in files)
    place(found, BEGIN, END, "assumed.py", options.write)


if __name__ == "__main__":
    main()
