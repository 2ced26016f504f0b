"""Ceph's S3 gateway (radosgw) with a cluster of one monitor and one disk, from Debian, all on the loopback interface.

What Debian starts as services is started here as processes, in a folder. The disk is a sparse file (BlueStore), so that the cluster keeps
everything when all three processes are killed.
"""

import json
import pathlib
import signal
import subprocess
import uuid

from . import install

CONFIGURATION = """
[global]
fsid = {fsid}
mon host = v2:127.0.0.1:{monitor}/0
mon initial members = a
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind ipv6 = false
keyring = {folder}/$name.keyring
run dir = {folder}
admin socket = {folder}/$name.sock
log file = {folder}/$name.log
osd pool default size = 1
osd pool default min size = 1
mon allow pool size one = true
osd pool default pg num = 8
osd pool default pgp num = 8
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon data avail warn = 1
[mon.a]
mon data = {folder}/monitor
[osd.0]
osd objectstore = bluestore
osd data = {folder}/disk
bluestore block size = 8589934592
osd memory target = 939524096
[client.rgw.a]
rgw frontends = beast endpoint=127.0.0.1:{port}
rgw enable usage log = false
# What a killed gateway was completing stays locked for so many seconds, by default ten minutes.
rgw mp lock max time = 5
{options}
"""


class Gateway:
    """The three processes, with a user. It is used as `install.Process` is."""

    def __init__(self, folder, key, secret, options=""):
        install.debian("ceph-mon", "ceph-osd", "radosgw", "ceph-common")
        self.folder, self.port, self.key, self.secret = pathlib.Path(folder), install.free_port(), key, secret
        self.configuration = self.folder / "ceph.conf"
        # The monitor's port comes from the same range, and is kept for the cluster's life.
        monitor = install.free_port()
        self.configuration.write_text(CONFIGURATION.format(fsid=uuid.uuid4(), monitor=monitor, folder=self.folder, port=self.port,
                                                             options=options))
        self.monitor = self.process("ceph-mon", monitor, "-i", "a")
        self.gateway = self.process("radosgw", self.port, "-n", "client.rgw.a")
        # The disk chooses its ports itself: the monitor tells when it is there.
        self.disk = self.process("ceph-osd", monitor, "-i", "0")
        (self.folder / "monitor").mkdir()
        (self.folder / "disk").mkdir()
        self.is_new = True

    def process(self, program, port, *words):
        return install.Process([f"/usr/bin/{program}", "-c", self.configuration, "-f", *words], port, self.folder / f"{program}.said")

    def run(self, *command, given=None):
        """What a command of Ceph's prints; SystemExit with what it complains about if it fails."""
        done = subprocess.run([str(word) for word in command], input=given, capture_output=True, text=True, timeout=120)
        if done.returncode:
            raise SystemExit(f"{' '.join(map(str, command[:4]))}: {done.stderr[-2000:]}")
        return done.stdout

    def ask(self, *words, given=None):
        return self.run("ceph", "-c", self.configuration, "--connect-timeout", "60", *words, given=given)

    def administer(self, *words):
        return self.run("radosgw-admin", "-c", self.configuration, *words)

    def user(self, name, key):
        """A user with an access key; the secret is the same for all."""
        self.administer("user", "create", f"--uid={name}", f"--display-name={name}", f"--access-key={key}", f"--secret-key={self.secret}")

    def start(self):
        if self.is_new:
            self.make_monitor()
        self.monitor.start()
        if self.is_new:
            self.make_disk()
        self.disk.start()
        # After a restart the monitor may still count the disk that was killed; the gateway then waits for the newer map itself.
        while not json.loads(self.ask("osd", "stat", "-f", "json")).get("num_up_osds"):
            if self.disk.process.poll() is not None:
                raise SystemExit(f"ceph-osd ended: {self.disk.log.read_text()[-2000:]}")
        if self.is_new:
            self.user("someone", self.key)
        self.gateway.start()
        self.is_new = False
        return self

    def make_monitor(self):
        """The keys and the map that a monitor begins with."""
        ring, map_, admin = self.folder / "mon.keyring", self.folder / "map", self.folder / "client.admin.keyring"
        text = self.configuration.read_text()
        fsid, monitor = text.split("fsid = ")[1].split()[0], text.split("v2:")[1].split("/")[0]
        self.run("monmaptool", "--create", "--fsid", fsid, "--addv", "a", f"[v2:{monitor}]", map_)
        self.run("ceph-authtool", "--create-keyring", ring, "--gen-key", "-n", "mon.", "--cap", "mon", "allow *")
        self.run("ceph-authtool", "--create-keyring", admin, "--gen-key", "-n", "client.admin", "--cap", "mon", "allow *", "--cap", "osd",
                 "allow *")
        self.run("ceph-authtool", ring, "--import-keyring", admin)
        self.run("ceph-mon", "-c", self.configuration, "-i", "a", "--mkfs", "--monmap", map_, "--keyring", ring)

    def make_disk(self):
        """A disk that the monitor knows, and a key for the gateway."""
        number, ring = str(uuid.uuid4()), self.folder / "osd.0.keyring"
        self.run("ceph-authtool", "--create-keyring", ring, "--gen-key", "-n", "osd.0")
        key = self.run("ceph-authtool", "-p", "-n", "osd.0", ring).strip()
        self.ask("osd", "new", number, "-i", "-", given=json.dumps({"cephx_secret": key}))
        self.ask("osd", "crush", "add", "osd.0", "1.0", "root=default", "host=here")
        gateway = self.ask("auth", "get-or-create", "client.rgw.a", "mon", "allow rw", "osd", "allow rwx")
        (self.folder / "client.rgw.a.keyring").write_text(gateway)
        self.run("ceph-osd", "-c", self.configuration, "-i", "0", "--mkfs", "--osd-uuid", number)

    def stop(self, number=signal.SIGTERM):
        for process in (self.gateway, self.disk, self.monitor):
            process.stop(number)

    def restart(self, number):
        """Ends all three with a signal, and starts them again."""
        self.stop(number)
        self.start()
