# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gets Debian source packages without touching the machine's apt.

`fetch(package, folder)` unpacks the newest source of a package that the
configured mirrors have, into folder, and returns the unpacked tree, with
Debian's patches unless patched is false. Mirrors
are those that apt already uses for binaries: a private list of deb-src lines
is made from them, with state and cache beside it. Raises Unavailable, with
one sentence, where that cannot be done.
"""
import os
import subprocess

KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
FORMAT = "$(TARGET_OF)|$(CREATED_BY)|$(ORIGIN)|$(REPO_URI)|$(RELEASE)|$(COMPONENT)"


class Unavailable(Exception):
    pass


def run(command, **kwargs):
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
        **kwargs,
    )
    if done.returncode:
        tail = done.stdout.strip().splitlines()[-1:] or ["no output"]
        raise Unavailable("%s: exit %d: %s" % (command[0], done.returncode, tail[0]))
    return done.stdout


def source_lines():
    """deb-src lines for the Debian mirrors that apt is configured with."""
    options = "[signed-by=%s] " % KEYRING if os.path.exists(KEYRING) else ""
    lines = set()
    for target in run(["apt-get", "indextargets", "--format", FORMAT]).splitlines():
        kind, created_by, origin, uri, release, component = target.split("|")
        # The origin is only known once a list was downloaded.
        if kind == "deb" and created_by == "Packages" and component == "main":
            if origin in ("Debian", "", "$(ORIGIN)"):
                lines.add("deb-src %s%s %s %s" % (options, uri, release, component))
    if not lines:
        raise Unavailable("apt has no Debian mirror configured")
    return sorted(lines)


def apt(folder, *words, program="apt-get"):
    private = os.path.join(folder, "apt")
    for name in ("lists/partial", "cache/archives/partial"):
        os.makedirs(os.path.join(private, name), exist_ok=True)
    settings = {
        "Dir::Etc::SourceList": os.path.join(private, "sources.list"),
        "Dir::Etc::SourceParts": "/dev/null",
        "Dir::State::Lists": os.path.join(private, "lists"),
        "Dir::Cache": os.path.join(private, "cache"),
        "APT::Sandbox::User": "",
        "Acquire::Retries": "3",
    }
    options = [word for k, v in settings.items() for word in ("-o", "%s=%s" % (k, v))]
    return run([program, "-qq", *options, *words], cwd=folder)


def update(folder):
    """Once per folder: what source packages there are."""
    folder = os.path.abspath(folder)
    stamp = os.path.join(folder, "apt", "updated")
    if os.path.exists(stamp):
        return
    os.makedirs(os.path.join(folder, "apt"), exist_ok=True)
    with open(os.path.join(folder, "apt", "sources.list"), "w", encoding="utf-8") as out:
        out.write("\n".join(source_lines()) + "\n")
    apt(folder, "update")
    with open(stamp, "w", encoding="utf-8"):
        pass


def download(package, folder):
    """The newest version that can be had: a mirror may lack the very newest.

    A version that several releases have is tried in each of them.
    """
    shown = apt(folder, "showsrc", "--only-source", package, program="apt-cache")
    versions = [line.split()[1] for line in shown.splitlines() if line.startswith("Version:")]
    with open(os.path.join(folder, "apt", "sources.list"), encoding="utf-8") as lines:
        releases = [line.split()[-2] for line in lines]
    wanted = ["%s=%s" % (package, version) for version in dict.fromkeys(versions)]
    wanted += ["%s/%s" % (package, release) for release in releases]
    why = Unavailable("no source package %s" % package)
    for name in wanted:
        try:
            apt(folder, "--download-only", "source", name)
            return
        except Unavailable as error:
            why = error
    raise why


def fetch(package, folder, patched=True):
    folder = os.path.abspath(folder)
    tree = os.path.join(folder, package)
    if os.path.isdir(tree):
        return tree
    update(folder)
    archives = os.path.join(folder, "download-" + package)
    os.makedirs(archives, exist_ok=True)
    try:
        download(package, folder)
        found = [name for name in os.listdir(folder) if name.endswith(".dsc")]
        skip = [] if patched else ["--skip-patches"]
        run(["dpkg-source", "--no-check", *skip, "-x", found[0], tree], cwd=folder)
    except OSError as error:
        raise Unavailable("%s: %s" % (error.filename, error.strerror)) from error
    finally:
        for name in os.listdir(folder):
            if os.path.isfile(os.path.join(folder, name)):
                os.rename(os.path.join(folder, name), os.path.join(archives, name))
    return tree
