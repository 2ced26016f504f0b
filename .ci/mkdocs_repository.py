"""Makes pages that are written for GitHub build with MkDocs.

A link from a page to a file or folder that is not a page leads to a page with its content, below `repository/`.
Lists are indented as Python-Markdown requires.
"""
import pathlib, posixpath, re

from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).resolve().parents[1]
LINK = re.compile(r"(?<=\]\()([^)\s#:]+)(#[^)\s]*)?(?=\))")
FENCE = re.compile(r" *(```+)")
ITEM = re.compile(r"( *)(?:[-*]|\d+\.) ")
LANGUAGES = {".py": "python", ".sh": "bash", ".service": "ini", ".timer": "ini", ".js": "javascript", ".yml": "yaml", "Dockerfile": "docker"}
PAGES_OUTSIDE = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")

origins = {}  # the path in the repository of each page


def destination(path):
    """The page that shows a file or folder of the repository."""
    target = ROOT / path
    shown = path.removeprefix(".")  # MkDocs leaves out hidden files
    if target.is_dir():
        readme = posixpath.join(path, "README.md")
        if path.startswith("docs/"):
            return readme[5:] if (ROOT / readme).exists() else path[5:] + "/index.md"
        return f"repository/{shown}/index.md"
    if path.startswith("docs/") and target.suffix in (".md", ".png", ".svg"):
        return path[5:]
    return f"repository/{path}" if path in PAGES_OUTSIDE else f"repository/{shown}.md"


def text_parts(markdown):
    """The text in pieces, each with whether it is code."""
    for piece in re.split(r"(?ms)(^ *```.*?^ *```$|`[^`\n]*`)", markdown):
        yield piece, piece.lstrip().startswith("`")


def targets(markdown, path):
    """The paths in the repository that a page links to."""
    for piece, is_code in text_parts(markdown):
        for match in [] if is_code else LINK.finditer(piece):
            found = posixpath.normpath(posixpath.join(posixpath.dirname(path), match[1]))
            if (ROOT / found).exists():
                yield match, found


def content(path):
    """The page of a file or folder, in Markdown."""
    target = ROOT / path
    if target.is_dir():
        entries = sorted(p for p in target.iterdir() if not p.name.startswith(("index", ".")))
        lines = []
        for entry in entries:
            title = f"`{entry.name}`"
            if entry.suffix == ".md":
                title = entry.read_text().split("\n", 1)[0].removeprefix("# ")
            lines.append(f"- [{title}]({entry.name})\n")
        title = "Decisions" if path == "docs/decisions" else f"`{path}`"
        return f"# {title}\n\n" + "".join(lines)
    text = target.read_text()
    if path in PAGES_OUTSIDE:
        return text
    language = LANGUAGES.get(target.suffix or target.name, target.suffix.removeprefix("."))
    return f"---\nsearch:\n  exclude: true\n---\n# `{path}`\n\n``````{language or 'text'}\n{text.rstrip()}\n``````\n"


def on_files(files, config):
    """Adds the pages of all files and folders that pages link to, and of those that these link to."""
    origins.clear()
    waiting = []
    for file in files.documentation_pages():
        origins[file.src_uri] = f"docs/{file.src_uri}"
        waiting += [found for _, found in targets(file.content_string, origins[file.src_uri])]
    waiting.append("docs/decisions")
    while waiting:
        path = waiting.pop()
        page = destination(path)
        if files.get_file_from_path(page):
            continue
        text = content(path)
        # Links of a folder's list are relative to the folder.
        origins[page] = path + ("/" if (ROOT / path).is_dir() else "")
        files.append(File.generated(config, page, content=text))
        if path in PAGES_OUTSIDE or (ROOT / path).is_dir():
            waiting += [found for _, found in targets(text, origins[page])]
    return files


def with_links(markdown, page):
    """The text, in which each link inside the repository leads to a page of the site; generated pages have only such links."""
    if page not in origins:
        return markdown
    pieces = []
    for piece, is_code in text_parts(markdown):
        for match, path in [] if is_code else reversed(list(targets(piece, origins[page]))):
            link = posixpath.relpath(destination(path), posixpath.dirname(page) or ".")
            piece = piece[: match.start(1)] + link + piece[match.end(1) :]
        pieces.append(piece)
    return "".join(pieces)


def with_wide_lists(markdown):
    """The text, with four columns for each level of a list, and an empty line before each list."""
    lines, fence, shift = [], None, 0
    is_list, is_text = False, False  # whether the previous line is part of a list, and of a paragraph
    is_loose = False  # whether the list has items of several paragraphs
    for line in markdown.split("\n"):
        indentation = len(line) - len(line.lstrip())
        opened = FENCE.match(line)
        if fence is None:
            shift = (4 - indentation if indentation < 4 else indentation) if is_list and indentation else 0
            item = ITEM.match(line)
            if not line.strip() or opened:
                is_loose = is_list
            if item and lines[-1:] > [""] and (is_loose if is_list else is_text):
                lines.append("")
            if line.strip():
                is_list = bool(item) or (is_list and (indentation > 0 or (is_text and not line.startswith("#"))))
                is_loose = is_loose and is_list
            is_text = bool(line.strip()) and not opened
        lines.append(" " * shift * bool(line.strip()) + line)
        if opened:
            if fence is None:
                fence = opened[1]
            elif opened[1] == fence and line.strip() == fence:
                fence = None
                shift = 0
    return "\n".join(lines)


def on_page_markdown(markdown, page, config, files):
    return with_wide_lists(with_links(markdown, page.file.src_uri))
