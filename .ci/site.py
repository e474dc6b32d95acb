"""What mkdocs.yml cannot say: the menu, which is that of docs/README.md, and files outside of docs, which come along where a page leads to them."""
import posixpath
import re
from pathlib import Path

from mkdocs.structure.files import File, InclusionLevel

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"\]\((?![a-z]+:)([^)#\s]+)(#[^)\s]*)?\)")
# docs/README.md is the first page of the site, and this one is called something else there.
ABOUT = "about.md"


def in_site(path):
    """The name in the site of a file that is at this path of the checkout."""
    return ABOUT if path == "README.md" else path.removeprefix("docs/")


def in_checkout(name):
    """The other way."""
    return "README.md" if name == ABOUT else f"docs/{name}" if (ROOT / "docs" / name).is_file() else name


def links(path):
    """The files of the checkout, as paths from its root on, that the page at this path leads to."""
    targets = [posixpath.normpath(posixpath.join(posixpath.dirname(path), match.group(1)))
               for match in LINK.finditer((ROOT / path).read_text(encoding="utf-8"))]
    return [target for target in targets if not target.startswith("..") and (ROOT / target).is_file()]


def menu(path):
    """The headings of an index of pages with the pages below them, those of a folder as a menu of its own; each page once."""
    sections, seen = [], {path}
    for text in re.split(r"^## ", (ROOT / path).read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        pages = []
        for match in LINK.finditer(text):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), match.group(1)))
            if target in seen or not target.endswith(".md"):
                continue
            seen.add(target)
            if posixpath.basename(target) == "README.md" and target != "README.md":
                below = [each for each in dict.fromkeys(links(target)) if posixpath.dirname(each) == posixpath.dirname(target) and each.endswith(".md")]
                seen.update(below)
                pages.append({posixpath.basename(posixpath.dirname(target)).capitalize(): [in_site(each) for each in [target, *below]]})
            else:
                pages.append(in_site(target))
        sections.append({text.splitlines()[0]: pages})
    return [{"Documentation": in_site(path)}, *sections]


def on_config(config):
    config.nav = menu("docs/README.md")
    # Headings are called as the forges call them, so that a link works there and here.
    config.mdx_configs.setdefault("toc", {})["slugify"] = lambda text, separator: re.sub(r"[^\w _-]", "", text.lower()).replace(" ", separator)
    return config


def on_files(files, config):
    known = {file.src_uri for file in files}
    waiting = [in_checkout(file.src_uri) for file in files.documentation_pages()]
    while waiting:
        for target in links(waiting.pop()):
            name = in_site(target)
            if name in known:
                continue
            known.add(name)
            files.append(File.generated(config, name, content=(ROOT / target).read_bytes(), inclusion=InclusionLevel.NOT_IN_NAV))
            if target.endswith(".md"):
                waiting.append(target)
    return files


def on_page_markdown(markdown, page, config, files):
    """Links lead to where their targets are in the site."""
    path = in_checkout(page.file.src_uri)

    def moved(match):
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), match.group(1)))
        if not (ROOT / target).is_file():
            return match.group(0)
        return f"]({posixpath.relpath(in_site(target), posixpath.dirname(page.file.src_uri) or '.')}{match.group(2) or ''})"

    return LINK.sub(moved, markdown)
