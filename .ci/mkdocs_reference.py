"""Adds the pages of `reference/` to the site: one for each command, key and check, and one for all exit statuses.

They are made of what the program prints (PIPELINE, by default the debug build) and of the tables of docs/language.md.
"""
import json, os, pathlib, re, subprocess

from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = os.environ.get("PIPELINE", str(ROOT / ".build/debug/pipeline"))


def printed(*arguments):
    return subprocess.run([PROGRAM, *arguments], check=True, capture_output=True, text=True).stdout


def cell(text):
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")


def option(argument):
    """How an argument is written on the command line."""
    if argument["kind"] == "positional":
        return f"<{argument['valueName']}>"
    names = ["-" * (1 if name["kind"] == "short" else 2) + name["name"] for name in argument["names"]]
    value = f" <{argument['valueName']}>" if argument["kind"] == "option" else ""
    return ", ".join(sorted(names, key=len)) + value


def parts(discussion):
    """The text, the examples, and the exit statuses of a command's help."""
    pieces = re.split(r"(?m)^(EXAMPLES|EXIT STATUS)\n", discussion or "")
    found = dict(zip(pieces[1::2], pieces[2::2]))
    statuses = re.findall(r"(?m)^  (\d+) +(.*(?:\n {4,}.*)*)", found.get("EXIT STATUS", ""))
    examples = "\n".join(line.removeprefix("  ") for line in found.get("EXAMPLES", "").strip("\n").split("\n"))
    return pieces[0].strip(), examples.strip(), [(int(number), re.sub(r"\s+", " ", text)) for number, text in statuses]


def commands(command, names=()):
    """All commands below one, with their names."""
    for child in command.get("subcommands", []):
        if child["commandName"] != "help" and child.get("shouldDisplay", True):
            yield (*names, child["commandName"]), child
            yield from commands(child, (*names, child["commandName"]))


def command_page(names, command):
    text, examples, statuses = parts(command.get("discussion"))
    lines = [f"# pipeline {' '.join(names)}", "", command.get("abstract", ""), ""]
    lines += [re.sub(r"(?m)^ +", "", text), ""] if text else []
    lines += ["## Examples", "", "```sh", examples, "```", ""] if examples else []
    shown = [a for a in command.get("arguments", []) if a.get("shouldDisplay", True) and a.get("abstract")]
    if shown:
        lines += ["## Arguments and options", "", "| | |", "|---|---|"]
        lines += [f"| `{option(a)}` | {cell(a['abstract'])}{default(a)} |" for a in shown] + [""]
    if statuses:
        lines += ["## Exit statuses", "", "| | |", "|---|---|"]
        lines += [f"| [{number}](../exit-statuses.md#{number}) | {cell(text)} |" for number, text in statuses]
    return "\n".join(lines)


def default(argument):
    value = argument.get("defaultValue")
    return f" (default: {cell(value)})" if value and "default:" not in argument["abstract"] else ""


def status_page(known):
    """Each exit status with what it means for each command."""
    lines = ["# Exit statuses", "", "What each exit status means, by command."]
    of_status = {}
    for names, command in known:
        for number, text in parts(command.get("discussion"))[2]:
            of_status.setdefault(number, {}).setdefault(text, []).append(" ".join(names))
    for number in sorted(of_status):
        lines += ["", f"## {number}", "", "| meaning | commands |", "|---|---|"]
        for text, names in of_status[number].items():
            links = ", ".join(f"[{name}](commands/{name.replace(' ', '-')}.md)" for name in names)
            lines.append(f"| {cell(text)} | {links} |")
    return "\n".join(lines)


def key_pages():
    """A page for each key of the language, from the tables of docs/language.md; links lead back to that page."""
    mapping, columns = None, None
    for line in (ROOT / "docs/language.md").read_text().split("\n"):
        if line.startswith("## "):
            mapping = line[3:]
        cells = [c.strip() for c in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == 4 and cells[0] == "key":
            columns = cells
        elif not cells:
            columns = None
        elif columns and (key := re.fullmatch(r"`([\w.]+)`", cells[0])):
            value, default, text = (re.sub(r"\]\(#", "](../../language.md#", c) for c in cells[1:])
            yield mapping, key[1], text, "\n".join([
                f"# `{key[1]}` of {mapping}", "", text, "",
                "| | |", "|---|---|", f"| value | {value} |", f"| default | {default} |",
                f"| belongs to | [{mapping}](../../language.md#{mapping}) |"])


def pages():
    top = json.loads(printed("--experimental-dump-help"))["command"]
    known = list(commands(top))
    index = ["# Commands", ""]
    for names, command in known:
        name = "-".join(names)
        index.append(f"- [pipeline {' '.join(names)}]({name}.md): {command.get('abstract', '')}")
        yield f"commands/{name}.md", command_page(names, command)
    yield "commands/index.md", "\n".join(index)
    yield "exit-statuses.md", status_page(known)
    index, last = ["# Keys"], None
    for mapping, key, text, page in key_pages():
        if mapping != last:
            index += ["", f"## {mapping}", ""]
            last = mapping
        first = text.split(". ")[0].rstrip(".")
        index.append(f"- [`{key}`]({mapping}-{key}.md): {first}.")
        yield f"keys/{mapping}-{key}.md", page
    yield "keys/index.md", "\n".join(index)
    index = ["# Checks", ""]
    for rule in json.loads(printed("rule", "--all", "--format", "json")):
        index.append(f"- [`{rule['code']}`]({rule['code']}.md) ({rule['family']})")
        yield f"rules/{rule['code']}.md", printed("rule", rule["code"])
    yield "rules/index.md", "\n".join(index)


def on_files(files, config):
    for path, text in pages():
        files.append(File.generated(config, f"reference/{path}", content=text))
    return files
