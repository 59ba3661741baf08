"""scripts/manual: the site of all documents, its links, and its search in headless Chromium.

WARPSIEVE_BUILD names the build folder. Skipped (exit code 77) without mkdocs, man or the program; the search is skipped
without Chromium (scripts/bootstrap docs).
"""

import functools
import http.server
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

from support import REPO

sys.path.insert(0, str(REPO / "scripts" / "lib"))
import manual_pages  # noqa: E402

BUILD = Path(os.environ.get("WARPSIEVE_BUILD", REPO / "build"))
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
LIMIT = 120  # seconds for the search in the browser


# Requests /found once the list of results has a link, however long the host takes.
WATCH = """<script>const watch = setInterval(() => {
  if (document.querySelector("#mkdocs-search-results a")) { clearInterval(watch); fetch("found"); }
}, 100);</script><img src="slow.png">"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Holds the load event of the search page back by a picture that comes when the page has its results."""

    found = threading.Event()

    def log_message(self, *_):
        pass

    def do_GET(self):
        if self.path.startswith("/slow.png"):
            self.found.wait(LIMIT)
            self.send_error(404)
        elif self.path.startswith("/found"):
            self.found.set()
            self.send_error(404)
        elif self.path.startswith("/search.html"):
            page = (Path(self.directory) / "search.html").read_text().replace("</body>", WATCH + "</body>").encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(page)))
            self.end_headers()
            self.wfile.write(page)
        else:
            super().do_GET()


class Manual(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="warpsieve-manual-")
        build = Path(cls.folder.name)
        (build / "warpsieve").symlink_to((BUILD / "warpsieve").resolve())
        words = [] if shutil.which("doxygen") else ["--no-api"]
        cls.ran = subprocess.run([REPO / "scripts" / "manual", "--build", build, *words], capture_output=True, text=True,
                                 check=False)
        cls.site = build / "manual" / "site"

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_every_document_is_a_page_and_every_link_leads_somewhere(self):
        self.assertEqual((self.ran.returncode, self.ran.stderr), (0, ""), self.ran.stdout)
        self.assertIn("no broken links", self.ran.stdout)
        for name in ("index.html", "rtl/md5/index.html", "sim_cpp/schemes/DECISIONS.html", "commands.html"):
            self.assertTrue((self.site / name).is_file(), name)
        self.assertIn("--compare", (self.site / "commands.html").read_text())
        self.assertIn("<td><code>StepsPerCycle</code></td>", (self.site / "rtl" / "md5" / "index.html").read_text())
        if shutil.which("doxygen"):
            self.assertGreater(len(list((self.site / "api").glob("*.html"))), 100)

    def test_the_search_index_has_the_blocks(self):
        index = json.loads((self.site / "search" / "search_index.json").read_text())
        self.assertTrue([d for d in index["docs"] if d["location"].startswith("rtl/md5/") and "md5_core" in d["title"]])

    @unittest.skipUnless(CHROMIUM, "no chromium: scripts/bootstrap docs")
    def test_the_search_in_a_browser(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=self.site))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        with tempfile.TemporaryDirectory() as home:
            ran = subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={home}",
                                  "--dump-dom",
                                  f"http://127.0.0.1:{server.server_port}/search.html?q=md5_core"],
                                 capture_output=True, text=True, check=False, timeout=2 * LIMIT)
        results = ran.stdout.split('id="mkdocs-search-results"', 1)[-1]
        self.assertIn("rtl/md5/index.html", results, ran.stderr[-500:])


class Pages(unittest.TestCase):
    def test_a_broken_link_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            site = Path(folder)
            (site / "a.html").write_text('<h1 id="top">A</h1><a href="b.html#there">b</a> <a href="#top">a</a>')
            (site / "b.html").write_text('<p id="there">B</p><img src="gone.svg"><a href="a.html#none">a</a>')
            self.assertEqual(list(manual_pages.broken_links(site)),
                             ["b.html: gone.svg", "b.html: a.html#none has no such heading"])

    def test_tables_and_lists_get_their_blank_line(self):
        self.assertEqual(manual_pages.for_mkdocs("text\n- a\n- b\n<!-- x -->\n| a |\n|---|\n```\n- c\n```\n"),
                         "text\n\n- a\n- b\n<!-- x -->\n\n| a |\n|---|\n```\n- c\n```\n")

    def test_a_link_to_a_folder_becomes_text(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "a.md").write_text("")
            self.assertEqual(manual_pages.without_folders("[x](a.md#b) [y](sub) [z](https://e.org)", Path(folder)),
                             "[x](a.md#b) y [z](https://e.org)")


if __name__ == "__main__":
    if not (shutil.which("mkdocs") and shutil.which("man") and (BUILD / "warpsieve").is_file()):
        print("skipped: no mkdocs, man (scripts/bootstrap docs) or program")
        sys.exit(77)
    unittest.main()
