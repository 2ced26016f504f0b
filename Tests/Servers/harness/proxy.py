"""A proxy between a program and a server that counts what goes up, and knows what the server has acknowledged."""

import asyncio
import os
import socket
import struct
import time

# A program that is killed so soon after a response, in seconds, may not have stored it.
SOON = float(os.environ.get("SERVERS_SOON", 0.25))


class Exchange:
    """One request, as its head says."""

    def __init__(self, head):
        first, *lines = head.decode("latin-1").split("\r\n")
        self.method, self.target = first.split(" ")[:2]
        self.fields = fields(lines)
        self.is_piece = False

    def __str__(self):
        return f"{self.method} {self.target}"


def fields(lines):
    """The fields of a head by name, in lower case."""
    pairs = [line.partition(":") for line in lines if line]
    return {name.strip().lower(): value.strip() for name, _, value in pairs}


class Cut(Exception):
    """A connection was reset."""


class Faults:
    """What a bad network does: some connections are reset at a byte that is drawn for each, and each response is late.

    The others end in good order after a few responses, so that a program that keeps its connections makes many."""

    def __init__(self, draw, one_of=5, latency=0.1, furthest=1 << 20, responses=3):
        self.draw, self.one_of, self.latency, self.furthest, self.responses = draw, one_of, latency, furthest, responses
        self.connections = self.resets = self.unlucky = 0

    def budget(self):
        """After how many bytes, in both directions together, a new connection is reset; None if it is not: one of each five is. All
        magnitudes are as likely, so that heads are cut as well as bodies, and connections before their first byte and after many requests."""
        place = self.connections % self.one_of
        self.connections += 1
        if place == 0:
            self.unlucky = self.draw.randrange(self.one_of)
        if place != self.unlucky:
            return None
        return int(self.furthest ** self.draw.random()) - 1


class Connection:
    """Both ways of a connection, with the bytes that it has left."""

    def __init__(self, faults, *writers):
        self.faults, self.writers = faults, writers
        self.left = faults.budget() if faults else None
        self.responses = self.life = 0

    def write(self, writer, data):
        """Passes data on, or a part of it and then a reset to both ends (RFC 9293 §3.5.2), which may lose what is on its way."""
        if self.left is not None and len(data) > self.left:
            writer.write(data[:self.left])
            self.faults.resets += 1
            for one in self.writers:
                one.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                one.transport.abort()
            raise Cut
        if self.left is not None:
            self.left -= len(data)
        writer.write(data)

    async def late(self, head):
        """The head of a response when it is due, and whether it is the last on this connection (RFC 9112 §9.6)."""
        if not self.faults:
            return head, False
        await asyncio.sleep(self.faults.latency)
        self.responses += 1
        if self.responses < self.faults.responses:
            return head, False
        lines = [line for line in head[:-4].split(b"\r\n") if not line.lower().startswith(b"connection:")]
        return b"\r\n".join([*lines, b"Connection: close", b"", b""]), True


class Wire:
    """What requests mean in a protocol; each protocol has its own. A piece is a request whose body is content of a file."""

    is_certain = False    # whether the server can be asked for each piece, so that none it has is sent again

    def piece(self, exchange):
        """None, or what the piece belongs to and the first byte of it, such as ("/files/1", 8388608)."""

    def acknowledged(self, exchange, status, fields):
        """None, or what the response is about and how many of its bytes the server has."""

    def is_download(self, exchange, status):
        """Whether the body of the response is content of a file."""
        return False

    def is_question(self, exchange):
        """Whether the request asks how far the server is."""
        return exchange.method == "HEAD"


class Proxy:
    """Passes connections on. `sent` is the bytes of all pieces, `received` those of all downloads, and `again` the pieces that
    began below what was acknowledged."""

    def __init__(self, target, wire, begin_answer=None, passed=None, faults=None):
        self.target, self.wire, self.faults = target, wire, faults
        self.requests = self.sent = self.received = self.pieces = self.again = self.questions = self.largest = 0
        self.acknowledged, self.told, self.life, self.lost = {}, [], 0, 0
        # Called before a response is passed on, and after bytes were.
        self.begin_answer, self.passed = begin_answer or (lambda: None), passed or (lambda: None)

    async def listen(self):
        """Begins to listen, and returns the port."""
        self.listener = await asyncio.start_server(self.serve, "127.0.0.1", 0, limit=1 << 20)
        return self.listener.sockets[0].getsockname()[1]

    async def serve(self, reader, writer):
        # What a killed program left in its sockets is read after its end, and is still a request of its own.
        life = self.life
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self.target, limit=1 << 20)
        except OSError:
            writer.close()
            return
        requests = []
        connection = Connection(self.faults, writer, back)
        connection.life = life
        await asyncio.gather(self.passing(self.up(reader, back, requests, connection), back),
                             self.passing(self.down(there, writer, requests, connection), writer))

    @staticmethod
    async def passing(way, end):
        """One way until it ends; what it leads to is then closed."""
        try:
            await way
        except (asyncio.IncompleteReadError, OSError, Cut):
            pass
        end.close()

    def ask(self, exchange, life):
        """Counts a request by its head, of a connection that was made in a life of the program."""
        self.requests += 1
        exchange.life = life
        self.questions += self.wire.is_question(exchange)
        found = self.wire.piece(exchange)
        if found is not None:
            subject, first = found
            exchange.is_piece = True
            self.pieces += 1
            self.largest = max(self.largest, int(exchange.fields.get("content-length", 0)))
            have, _ = self.acknowledged.get(subject, (0, 0))
            if first < have:
                self.again += 1
                self.told.append(f"again: {exchange} from byte {first:,}, of {have:,} that the server has")

    def answer(self, exchange, status, fields):
        """Learns from a response by its head."""
        found = self.wire.acknowledged(exchange, status, fields)
        # The response to a program that was killed reaches no one.
        if found is not None and (self.wire.is_certain or exchange.life == self.life):
            subject, have = found
            before, _ = self.acknowledged.get(subject, (0, 0))
            if self.wire.is_certain and have < before:
                # A server that was killed may have lost what it acknowledged; what it says then counts.
                self.lost += 1
            self.acknowledged[subject] = (have if self.wire.is_certain else max(have, before), time.monotonic())

    def forget(self):
        """The program is killed: what only a response said, and no one can be asked for, it may not know."""
        self.life += 1
        if not self.wire.is_certain:
            since = time.monotonic() - SOON
            self.acknowledged = {subject: told for subject, told in self.acknowledged.items() if told[1] < since}

    async def up(self, reader, writer, requests, connection):
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            exchange = Exchange(head)
            self.ask(exchange, connection.life)
            requests.append(exchange)
            connection.write(writer, head)
            async for data in body(reader, exchange.fields, False):
                if exchange.is_piece:
                    self.sent += len(data)
                    self.passed()
                connection.write(writer, data)
                await writer.drain()

    async def down(self, reader, writer, requests, connection):
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            first, *lines = head.decode("latin-1").split("\r\n")
            status = int(first.split(" ")[1])
            if status < 200:
                connection.write(writer, head)
                continue
            head, is_last = await connection.late(head)
            exchange = requests.pop(0)
            found = fields(lines)
            self.answer(exchange, status, found)
            self.begin_answer()
            connection.write(writer, head)
            if exchange.method == "HEAD" or status in (204, 304):
                found = {"content-length": "0"}
            is_download = self.wire.is_download(exchange, status)
            self.pieces += is_download
            async for data in body(reader, found, True):
                if is_download:
                    self.received += len(data)
                    self.passed()
                connection.write(writer, data)
                await writer.drain()
            await writer.drain()
            if is_last:
                return


async def body(reader, fields, to_end):
    """The bytes of a body as they come: of a known length, in chunks, or, of a response, to the end of the connection."""
    if fields.get("transfer-encoding", "").lower() == "chunked":
        while True:
            line = await reader.readuntil(b"\r\n")
            size = int(line.split(b";")[0], 16)
            yield line + await reader.readexactly(size + 2)
            if size == 0:
                return
    left = int(fields["content-length"]) if "content-length" in fields else None
    if left is None and not to_end:
        return
    while left is None or left > 0:
        data = await reader.read(1 << 16 if left is None else min(left, 1 << 16))
        if not data:
            raise asyncio.IncompleteReadError(b"", left)
        left = None if left is None else left - len(data)
        yield data
