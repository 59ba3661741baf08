"""Packages of npm, as a lock file names them, in a folder of the build folder."""

import shutil

import flow
from flow import FlowError


def install(name, parts):
    """Folder build/<name> with node_modules of the package.json and lock file in `parts`; once per lock file, and
    without running the packages' own scripts."""
    folder = flow.BUILD / name
    stamp = folder / "installed"
    key = flow.digest(parts / "package-lock.json")
    if stamp.is_file() and stamp.read_text() == key:
        return folder
    if not shutil.which("npm") or not shutil.which("node"):
        raise FlowError("npm and node are needed: scripts/bootstrap docs")
    folder.mkdir(parents=True, exist_ok=True)
    for file in ("package.json", "package-lock.json"):
        shutil.copy(parts / file, folder / file)
    print(f"{name}: npm ci", flush=True)
    result = flow.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], 600, cwd=folder,
                      log=folder / "npm.log")
    if result.code != 0:
        raise FlowError(f"npm ci failed: {flow.last_error(result.output)} ({flow.shown(folder)}/npm.log)")
    stamp.write_text(key)
    return folder
