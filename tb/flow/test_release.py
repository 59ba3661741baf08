"""The version: of the newest tag in a clone, of the tag that an archive was made from, else the default."""

import shutil
import subprocess
import tarfile
import tempfile
import unittest
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]


class Release(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="warpsieve-release-")
        self.root = Path(self.folder.name) / "clone"
        (self.root / "scripts" / "cmake").mkdir(parents=True)
        for name in ("scripts/cmake/release.cmake", "scripts/cmake/release.txt", ".gitattributes"):
            shutil.copy(REPO / name, self.root / name)
        self.git("init", "-q")
        self.commit("one")

    def tearDown(self):
        self.folder.cleanup()

    def git(self, *words):
        ran = subprocess.run(["git", "-C", self.root, "-c", "user.name=t", "-c", "user.email=t@t", *words], capture_output=True,
                             text=True, check=True)
        return ran.stdout

    def commit(self, text):
        (self.root / "file").write_text(text)
        self.git("add", "-A")
        self.git("commit", "-qm", text)

    def release(self, root=None):
        root = root or self.root
        script = root.parent / "ask.cmake"
        script.write_text(f"include({root}/scripts/cmake/release.cmake)\nws_release(found {root} 0.0.9)\nmessage(\"${{found}}\")\n")
        ran = subprocess.run(["cmake", "-P", script], capture_output=True, text=True, check=True)
        return ran.stderr.strip()

    def archived(self):
        away = Path(self.folder.name) / "archive"
        shutil.rmtree(away, ignore_errors=True)
        with tempfile.TemporaryFile() as file:
            subprocess.run(["git", "-C", self.root, "archive", "HEAD"], stdout=file, check=True)
            file.seek(0)
            with tarfile.open(fileobj=file) as packed:
                packed.extractall(away)
        return self.release(away)

    def test_without_a_tag_the_default(self):
        self.assertEqual((self.release(), self.archived()), ("0.0.9", "0.0.9"))

    def test_the_newest_tag_below(self):
        self.git("tag", "v1.2.3")
        self.assertEqual((self.release(), self.archived()), ("1.2.3", "1.2.3"))
        self.commit("two")
        self.assertEqual((self.release(), self.archived()), ("1.2.3", "1.2.3"))
        self.git("tag", "-a", "v1.10.0", "-m", "annotated")
        self.assertEqual((self.release(), self.archived()), ("1.10.0", "1.10.0"))

    def test_other_tags_are_no_release(self):
        for name in ("nightly", "v2-beta", "1.0.0"):
            self.git("tag", name)
        self.assertEqual(self.release(), "0.0.9")

    def test_a_copy_without_git_is_the_default(self):
        shutil.rmtree(self.root / ".git")
        self.assertEqual(self.release(), "0.0.9")


if __name__ == "__main__":
    unittest.main()
