"""Servers and clients that others wrote, from Debian or PyPI, and the processes that they run in."""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
ENVIRONMENTS = pathlib.Path(os.environ.get("SERVERS_FOLDER", ROOT / ".build" / "servers"))


def pypi(name, *packages):
    """The `bin` folder of a Python environment that has the packages. It is made once."""
    folder = ENVIRONMENTS / name
    ready = folder / "ready"
    if not ready.exists() or ready.read_text() != "\n".join(packages):
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([folder / "bin" / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check", *packages], check=True)
        ready.write_text("\n".join(packages))
    return folder / "bin"


def within(folder):
    """Goes on in the Python of an environment, for the packages that it has."""
    if pathlib.Path(sys.prefix).resolve() != folder.parent.resolve():
        os.execv(folder / "python", [str(folder / "python"), *sys.argv])


def debian(*packages):
    """Installs Debian packages that are missing, without starting what is in them."""
    states = subprocess.run(["dpkg-query", "--show", "--showformat=${Package} ${db:Status-Status}\n", *packages],
                            capture_output=True, text=True).stdout.splitlines()
    missing = [name for name in packages if f"{name} installed" not in states]
    if not missing:
        return
    rise = [] if os.geteuid() == 0 else ["sudo"]
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    subprocess.run([*rise, "apt-get", "update", "-qq"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([*rise, "apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing], check=True, env=quiet,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def free_port():
    """A port of the loopback interface that nothing listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Process:
    """A server on a port of the loopback interface, in a process group of its own; what it says goes into a file."""

    def __init__(self, command, port, log, folder=None, environment=None):
        self.command, self.port, self.log, self.folder = [str(word) for word in command], port, pathlib.Path(log), folder
        self.environment = {**os.environ, **(environment or {})}
        self.process = None

    def start(self):
        """Starts it, and waits until it accepts connections."""
        self.process = subprocess.Popen(self.command, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=open(self.log, "ab"), start_new_session=True)
        for _ in range(600):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return self
            except OSError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.1)
        self.stop()
        raise SystemExit(f"{self.command[0]} does not listen on port {self.port}: {self.log.read_text()[-2000:]}")

    def stop(self, number=signal.SIGTERM):
        """Ends it with a signal; after ten seconds by force."""
        if self.process is None:
            return
        for one in (number, signal.SIGKILL):
            try:
                os.killpg(self.process.pid, one)
                self.process.wait(10)
            except ProcessLookupError:
                self.process.wait()
            except subprocess.TimeoutExpired:
                continue
            break
        self.process = None

    def restart(self, number):
        """Ends it with a signal, and starts it again."""
        self.stop(number)
        self.start()
