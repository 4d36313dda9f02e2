#!/usr/bin/env python3
"""Sends a hostile mix to `anser serve` on loopback, and checks that nothing gives way.

    scripts/hostile-mix.py [--anser PROGRAM] [--requests N] [--idle N] [--rounds N]

Solves Fox-and-Geese with up to 6 geese, damages one of the packed tables, and serves them. In each
round (5 by default) N requests (24,000) arrive: fuzzed paths, queries, positions, bodies, and headers,
bodies and heads that are too long, requests that end early. Meanwhile 2,000 connections are idle, 150
send a byte per second, and one client asks for values of positions, one after the other. Fails if

- a fuzzed request is answered 5xx, except 503 and 500 about the damaged table,
- a value is wrong, or takes longer than 5 seconds,
- the memory of the server still grows by more than 4 MiB in the last round,
- an idle or slow connection is still open when its time is over.

Needs a release build and Python 3.10, and nothing else.
"""

import argparse
import asyncio
import json
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

parser = argparse.ArgumentParser(
    description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
)
parser.add_argument("--anser", default=ROOT / "target" / "release" / "anser", metavar="PROGRAM")
parser.add_argument("--requests", type=int, default=24_000, metavar="N")
parser.add_argument("--idle", type=int, default=2_000, metavar="N")
parser.add_argument("--rounds", type=int, default=5, metavar="N")
options = parser.parse_args()

SLOW = 150
"""Connections that send a byte per second."""
WORKERS = 32
"""Fuzzed requests at a time."""
HEAD_SECONDS = 10
"""Time that the server leaves for the head of a request."""
GOOD = "/api/v1/probe?game=fox-geese&rules=first-capture&position=3/3/7/3F3/2ggg2/3/3_f"
BAD_WORDS = [
    b"../", b"%2e%2e%2f", b"%00", b"%ff", b"\xff", b"\xc3\xa4", b"<script>", b"' OR 1=1", b"{}",
    b"fox-geese", b"hexapawn:4x4", b"hexapawn:99x99", b"free", b"forward", b"F", b"g", b"/", b"3",
    b"7", b"_", b"?", b"&", b"=", b"#", b"+", b" ", b"null", b"-1", b"1e999", b"18446744073709551616",
]  # fmt: skip
POINTS = (3, 3, 7, 7, 7, 3, 3)


def junk(longest, plain=False):
    """Random bytes, mostly of texts that mean something somewhere."""
    text = b"".join(random.choice(BAD_WORDS) for _ in range(random.randrange(longest)))
    text += random.randbytes(random.randrange(8))
    return bytes(byte for byte in text if 32 < byte < 127) if plain else text


def position():
    """A fox and up to 6 geese on random points, as in a query."""
    pieces = ["F"] + ["g"] * random.randint(1, 6)
    board = pieces + ["."] * (33 - len(pieces))
    random.shuffle(board)
    rows, at = [], 0
    for length in POINTS:
        row = "".join(board[at : at + length])
        rows.append(re.sub(r"\.+", lambda empty: str(len(empty.group())), row))
        at += length
    return "/".join(rows) + random.choice(["_f", "_g"])


def request(kind):
    """Returns the bytes of a request."""
    tail = b" HTTP/1.1\r\nhost: x\r\nconnection: close\r\n"
    endpoint = random.choice([b"games", b"probe", b"line", b"stats", b"census", b"hardest", b"random"])
    if kind == "path":
        return b"GET /" + junk(12, plain=True) + tail + b"\r\n"
    if kind == "query":
        names = [b"game", b"rules", b"position", b"layer", b"outcome", b"seed", b"all", b"x"]
        pairs = [random.choice(names) + b"=" + junk(5, plain=True) for _ in range(random.randrange(5))]
        return b"GET /api/v1/" + endpoint + b"?" + b"&".join(pairs) + tail + b"\r\n"
    if kind == "position":
        return (
            b"GET /api/v1/probe?game=fox-geese&rules=first-capture&position="
            + position().encode()
            + tail
            + b"\r\n"
        )
    if kind == "body":
        asked = {
            "game": "fox-geese",
            "rules": "first-capture",
            "positions": [position(), "x"],
            "moves": True,
        }
        body = random.choice([junk(40), json.dumps(asked).encode(), json.dumps(asked).encode()[:-3]])
        content = random.choice(
            [b"application/json", b"application/x-ndjson", b"text/plain", junk(2, plain=True)]
        )
        head = b"POST /api/v1/probe?game=fox-geese" + tail + b"content-type: " + content
        return head + b"\r\ncontent-length: %d\r\n\r\n" % len(body) + body
    if kind == "headers":
        lines = [junk(3, plain=True) + b": " + junk(6) for _ in range(random.randrange(30))]
        return b"GET /healthz" + tail + b"\r\n".join(lines) + b"\r\n\r\n"
    if kind == "oversized":
        return random.choice([
            b"GET /api/v1/probe?game=" + b"g" * 5_000 + tail + b"\r\n",
            b"GET /healthz" + tail + b"x: " + b"y" * 1_000_000 + b"\r\n\r\n",
            b"GET /healthz" + tail + b"".join(b"x%d: y\r\n" % n for n in range(2_000)) + b"\r\n",
            b"POST /api/v1/probe" + tail + b"content-type: application/json\r\n"
            + b"content-length: 5000000\r\n\r\n" + b" " * 3_000_000,
        ])  # fmt: skip
    if kind == "cut":
        whole = request(random.choice(["path", "query", "position", "body", "headers"]))
        return whole[: random.randrange(len(whole))]
    return junk(30) + b"\r\n\r\n"


KINDS = ["path", "query", "position", "body", "headers", "anything"]


class Mix:
    """The server, and what was seen of it."""

    def __init__(self, address, server):
        self.host, self.port = address.removeprefix("http://").split(":")
        self.server = server
        self.statuses = Counter()
        self.faults = []
        self.latencies = []
        self.still_open = 0

    async def exchange(self, data, close):
        """Sends bytes; returns the status and the answer, None for none."""
        reader, writer = await asyncio.open_connection(self.host, self.port)
        try:
            writer.write(data)
            if close:
                writer.write_eof()
            answer = await asyncio.wait_for(reader.read(1 << 16), 40)
        except (ConnectionError, BrokenPipeError):
            answer = b""
        finally:
            writer.close()
        found = re.match(rb"HTTP/1\.1 (\d{3})", answer)
        return (int(found.group(1)) if found else None), answer

    async def fuzz(self, queue):
        """Sends fuzzed requests until there are none left."""
        while queue:
            kind = queue.pop()
            data = request(kind)
            status, answer = await self.exchange(data, kind in ("anything", "cut", "headers"))
            self.statuses[kind, status] += 1
            # Only damage explains an answer 500: that of the table that was damaged.
            explained = status == 500 and b"L06" in answer
            if status and status >= 500 and status != 503 and not explained:
                self.faults.append(f"{kind}: {data[:200]!r}: {answer[:300]!r}")

    async def idle(self, data, drip):
        """Holds a connection until the server closes it."""
        # All at once, the system would drop some before the server sees them.
        await asyncio.sleep(3 * random.random())
        try:
            reader, writer = await asyncio.open_connection(self.host, self.port)
        except OSError:
            return
        try:
            writer.write(data)
            began = time.monotonic()
            while time.monotonic() - began < 3 * HEAD_SECONDS:
                try:
                    answer = await asyncio.wait_for(reader.read(1 << 16), 1)
                    if not answer:
                        return
                except asyncio.TimeoutError:
                    if drip:
                        writer.write(b"x")
            self.still_open += 1
        except (ConnectionError, BrokenPipeError):
            pass
        finally:
            writer.close()

    async def ask(self, done):
        """Asks for one value after the other, and compares it."""
        get = f"GET {GOOD} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n".encode()
        first = None
        while not done.is_set():
            began = time.monotonic()
            status, answer = await self.exchange(get, False)
            seconds = time.monotonic() - began
            body = answer.split(b"\r\n\r\n", 1)[-1]
            first = first or body
            self.latencies.append(seconds)
            if status != 200 or body != first or seconds > 5:
                self.faults.append(f"a value: {status} after {seconds:.1f} s")
            await asyncio.sleep(0.005)

    async def round(self):
        queue = [random.choice(KINDS) for _ in range(options.requests - options.requests // 20)]
        queue += [random.choice(["oversized", "cut"]) for _ in range(options.requests // 20)]
        random.shuffle(queue)
        done = asyncio.Event()
        holders = [asyncio.create_task(self.idle(b"", False)) for _ in range(options.idle)]
        slow = b"GET /healthz HTTP/1.1\r\nhost: x\r\nx-slow: "
        body = (
            b"POST /api/v1/probe HTTP/1.1\r\nhost: x\r\n"
            b"content-type: application/json\r\ncontent-length: 1000\r\n\r\n"
        )
        holders += [asyncio.create_task(self.idle(slow if n % 2 else body, True)) for n in range(SLOW)]
        asking = asyncio.create_task(self.ask(done))
        began = time.monotonic()
        await asyncio.gather(*(self.fuzz(queue) for _ in range(WORKERS)))
        seconds = time.monotonic() - began
        await asyncio.gather(*holders)
        done.set()
        await asking
        return seconds

    def memory(self):
        """Resident memory of the server in MiB: now and at most."""
        status = Path(f"/proc/{self.server.pid}/status").read_text()
        of = lambda key: int(re.search(rf"{key}:\s+(\d+)", status).group(1))  # noqa: E731
        return [of(key) / 1024 for key in ("VmRSS", "VmHWM")]


async def attack(mix):
    memory = [mix.memory()[0]]
    for number in range(1, options.rounds + 1):
        seconds = await mix.round()
        memory.append(mix.memory()[0])
        print(f"round {number}: {options.requests:,} requests in {seconds:.1f} s, {memory[-1]:.0f} MiB")
    # The first rounds fill caches and the reserves of the allocator.
    if options.rounds > 1 and memory[-1] > memory[-2] + 4:
        mix.faults.append(f"the memory grows: {memory}")
    if mix.still_open:
        mix.faults.append(f"{mix.still_open} idle or slow connections stay open")
    return memory


def anser(*arguments):
    subprocess.run([str(options.anser), *map(str, arguments)], check=True, capture_output=True)


def main():
    random.seed(1)
    # One file per connection, on either side.
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(limit, 65_536), limit))
    with tempfile.TemporaryDirectory() as name:
        raw, packed = Path(name) / "raw", Path(name) / "packed"
        rules = ("--rules", "first-capture")
        anser("solve", "fox-geese", *rules, "--layers", "1-6", "--tables", raw)
        anser("pack", "fox-geese", *rules, "--tables", raw, "--out", packed)
        table = packed / "fox-geese.first-capture.L06.wdl.anserz"
        damaged = bytearray(table.read_bytes())
        # The last part of the file has blocks of values.
        for at in range(len(damaged) * 2 // 3, len(damaged) - 64, 97):
            damaged[at] ^= 0x5A
        table.write_bytes(damaged)
        command = [str(options.anser), "serve", "--listen", "127.0.0.1:0", "--tables", str(packed)]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as server:
            try:
                address = re.search(r"http://[\d.:]+", server.stdout.readline()).group()
                mix = Mix(address, server)
                memory = asyncio.run(attack(mix))
                alive = server.poll() is None
                most = mix.memory()[1] if alive else 0
            finally:
                server.terminate()
    if not alive:
        mix.faults.append("the server has ended")
    for kind in sorted({kind for kind, _ in mix.statuses}):
        counts = {str(status): count for (of, status), count in mix.statuses.items() if of == kind}
        print(f"{kind:>10}: {json.dumps(dict(sorted(counts.items())))}")
    latencies = sorted(mix.latencies)
    share = lambda part: 1000 * latencies[int(part * (len(latencies) - 1))]  # noqa: E731
    print(
        f"{len(latencies):,} values meanwhile: median {share(0.5):.1f} ms, "
        f"99 % {share(0.99):.0f} ms, most {share(1):.0f} ms"
    )
    after = ", ".join(f"{it:.0f}" for it in memory[1:])
    print(
        f"memory: {memory[0]:.0f} MiB before, {after} MiB after the rounds, "
        f"at most {most:.0f} MiB"
    )
    for fault in mix.faults[:20]:
        print(f"fault: {fault}", file=sys.stderr)
    sys.exit(1 if mix.faults else 0)


if __name__ == "__main__":
    main()
