"""What scripts/manual makes of the Markdown files: mkdocs' dialect, and a check of the links of the site."""

import re
from html.parser import HTMLParser
from urllib.parse import unquote

LINK = re.compile(r"(?<!`)(!?)\[([^\]]*)\]\(([^)\s]+)\)")


def for_mkdocs(text):
    """The text with the blank lines that Python-Markdown needs before tables and lists, and behind comments."""
    lines, fenced = [], False
    for line in text.splitlines():
        before = lines[-1].strip() if lines else ""
        starts = {"|": before[:1] != "|", "-": not re.match(r"(\s*[-*] |\d+\. )", lines[-1] if lines else "")}
        item = re.match(r"(?:[-*]|\d+\.) ", line)
        if not fenced and before and not lines[-1].startswith("  ") and (
                (line.startswith("|") and starts["|"]) or (item and starts["-"])
                or (before.startswith("<!--") and before.endswith("-->"))):
            lines.append("")
        fenced ^= line.lstrip().startswith("```")
        lines.append(line)
    return "\n".join(lines) + "\n"


def linked(text):
    """Targets of the links of a Markdown text that are files or folders, without anchors."""
    prose = re.sub(r"(?ms)^```.*?^```$", "", text)
    for _, _, target in LINK.findall(prose):
        target = target.split("#")[0]
        if target and "://" not in target and not target.startswith("mailto:"):
            yield target


def without_folders(text, folder):
    """Links to folders and to what the site does not have become plain text."""
    def keep(match):
        target = match[3].split("#")[0]
        outside = target and "://" not in target and not target.startswith("mailto:") and not (folder / target).is_file()
        return match[2] if outside else match[0]
    return LINK.sub(keep, text)


class Page(HTMLParser):
    """Links and anchors of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ("href", "src") and value and tag in ("a", "img", "link", "script"):
                self.links.append(value)
            if name == "id" or (name == "name" and tag == "a"):
                self.anchors.add(value)


def broken_links(site, left_out=("api",)):
    """`page: link` of each link in the site that leads nowhere; the pages of `left_out` folders only count as targets."""
    pages = {}

    def page(path):
        if path not in pages:
            pages[path] = Page(path.read_text(errors="replace"))
        return pages[path]

    for path in sorted(site.rglob("*.html")):
        if path.relative_to(site).parts[0] in left_out or path.name == "404.html":
            continue
        for link in page(path).links:
            if re.match(r"[a-z]+:|//", link):
                continue
            name, _, anchor = unquote(link).partition("#")
            target = path if not name else (path.parent / name.split("?")[0])
            target = target / "index.html" if target.is_dir() else target
            if not target.exists():
                yield f"{path.relative_to(site)}: {link}"
            elif anchor and target.suffix == ".html" and anchor not in page(target.resolve()).anchors:
                yield f"{path.relative_to(site)}: {link} has no such heading"
