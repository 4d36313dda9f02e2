#!/usr/bin/env python3
"""Reads values from table files of Fox-and-Geese, and the description of the game from those of any
game. Written from the specification alone.

    read_table.py TABLE POSITION...    prints the value of each position, one per line: fox, draw,
                                       or geese, and the plies if the table has distances: geese 12
    read_table.py TABLE --check FILE   compares the table with the lines of FILE: position,outcome
                                       or position,outcome,plies; # begins a comment
    read_table.py TABLE --description  prints the description of the game

Reads index `cross33` version 1 and table format 1. It is written to be read, not to be fast. Values
with a side to move that a table omits follow from the rules and one ply of look-ahead. Tables of
lower layers, for captures, must be in the same directory.

Needs Python 3.8, and for packed tables the package `zstandard`. Checks signature, version, complete
marker, names, number of entries, and every offset and length. Does NOT check the xxh3-64 sums
(header, fingerprint, blocks, frames, description) and the BLAKE3 of the payload, which the standard
library lacks, or the counts of positions. A position that cannot be answered is reported on
standard error and printed as `-`; the others are answered, and the exit status is 1.
"""

import os
import re
import struct
import sys
from bisect import bisect_left
from functools import lru_cache

# ---- The index, step 1: coordinates, points, symmetries, subgroups -------------------------------

POINTS = [
    (x, y) for y in range(-3, 4) for x in range(-3, 4) if abs(x) <= 1 or abs(y) <= 1
]  # by y, then x
SUBGROUPS = [
    0x01,
    0x03,
    0x05,
    0x09,
    0x11,
    0x81,
    0x0F,
    0x69,
    0x99,
    0xFF,
]  # bit s: symmetry s is a member
GROUP_OF_ORDER = {1: 0x01, 2: 0x03, 8: 0xFF}  # identity, left-right mirror, everything


def image(s, point):
    x, y = point
    if s & 4:
        x, y = y, x
    return (-x if s & 1 else x, -y if s & 2 else y)


def members(group):
    return [s for s in range(8) if group >> s & 1]


# ---- Step 2: the fox -----------------------------------------------------------------------------


def fox_classes(group):
    """Returns the representatives, in the order of their class numbers."""
    return sorted({max(image(s, point) for s in members(group)) for point in POINTS})


def stabilizer(group, fixed):
    """Returns the mask of the members of `group` for which `fixed(s)` holds."""
    return sum(1 << s for s in members(group) if fixed(s))


# ---- Step 3: the two halves ----------------------------------------------------------------------

INNER = [
    p for p in POINTS if sorted(map(abs, p)) in ([0, 1], [1, 1], [1, 2])
]  # neighbors, knight's moves
OUTER = [p for p in POINTS if p not in INNER and p != (0, 0)]


def word(half, points):
    return sum(1 << half.index(p) for p in points)


def byte_images(half, s):
    """Returns the images under symmetry `s` of all words of the low and the high byte of a half."""
    bit = [1 << half.index(image(s, p)) for p in half]
    return [
        [sum(bit[base + b] for b in range(8) if byte >> b & 1) for byte in range(256)]
        for base in (0, 8)
    ]


IMAGES = {id(half): [byte_images(half, s) for s in range(8)] for half in (INNER, OUTER)}


def word_image(half, s, w):
    low, high = IMAGES[id(half)][s]
    return low[w & 255] | high[w >> 8]


# ---- Steps 4 and 5: classes and their order ------------------------------------------------------


@lru_cache(None)
def outer_words(h):
    """Returns {(k, number of K): ascending words with k bits, least under H and fixed by K}."""
    lists = {}
    for o in range(1 << 16):
        images = {s: word_image(OUTER, s, o) for s in members(h)}
        if o == min(images.values()):
            k_number = SUBGROUPS.index(stabilizer(h, lambda s: images[s] == o))
            lists.setdefault((bin(o).count("1"), k_number), []).append(o)
    return lists


@lru_cache(None)
def inner_words(k_number):
    """Returns, for n from 0 to 16, the ascending words with n bits that are least under K."""
    lists = [[] for _ in range(17)]
    for i in range(1 << 16):
        if all(i <= word_image(INNER, s, i) for s in members(SUBGROUPS[k_number])):
            lists[bin(i).count("1")].append(i)
    return lists


class Index:
    def __init__(self, group, geese):
        self.group, self.geese = group, geese
        self.foxes = fox_classes(group)
        self.base, self.entries = {}, 0
        for c, fox in enumerate(self.foxes):
            lists = outer_words(stabilizer(group, lambda s: image(s, fox) == fox))
            for k, k_number in sorted(lists):
                if 0 <= geese - k <= 16:
                    self.base[c, k, k_number] = self.entries
                    self.entries += len(lists[k, k_number]) * len(inner_words(k_number)[geese - k])

    def rank(self, fox, geese):
        to_representative = max(members(self.group), key=lambda s: image(s, fox))  # any of them
        geese = [image(to_representative, p) for p in geese]
        fox = image(to_representative, fox)
        h = stabilizer(self.group, lambda s: image(s, fox) == fox)
        geese = [fox if p == (0, 0) else p for p in geese]
        o, i = (word(half, [p for p in geese if p in half]) for half in (OUTER, INNER))

        least = min(members(h), key=lambda s: word_image(OUTER, s, o))
        o, i = word_image(OUTER, least, o), word_image(INNER, least, i)
        k_group = stabilizer(h, lambda s: word_image(OUTER, s, o) == o)
        i = min(word_image(INNER, s, i) for s in members(k_group))

        k, k_number = bin(o).count("1"), SUBGROUPS.index(k_group)
        os, rows = outer_words(h)[k, k_number], inner_words(k_number)[len(geese) - k]
        return (
            self.base[self.foxes.index(fox), k, k_number]
            + bisect_left(os, o) * len(rows)
            + bisect_left(rows, i)
        )

    # ---- The packing order: grids, and the indexes of their entries ------------------------------

    @lru_cache(None)
    def grids(self):
        """Returns each grid by rank: first rank, fox, lists of o and i, starts of its parts."""
        grids = []
        for (c, k, k_number), base in sorted(self.base.items(), key=lambda item: item[1]):
            fox = self.foxes[c]
            h = stabilizer(self.group, lambda s: image(s, fox) == fox)
            rows, columns = outer_words(h)[k, k_number], inner_words(k_number)[self.geese - k]
            if columns:
                grids.append([base, fox, rows, columns])
        index = 0
        for part in range(3):
            for grid in grids:
                rows, columns = len(grid[2]), len(grid[3])
                grid.append(index)
                index += (
                    rows // 64 * 64 * columns,
                    rows % 64 * (columns // 64 * 64),
                    rows % 64 * (columns % 64),
                )[part]
        return grids

    def packed_index(self, rank):
        """Returns the index of an entry in the packing order."""
        grid = self.grids()[bisect_left(self.grids(), [rank + 1]) - 1]
        base, fox, rows, columns, first, second, third = grid
        row, column = divmod(rank - base, len(columns))
        row, column = permuted(OUTER, fox, rows, row), permuted(INNER, fox, columns, column)
        whole_rows, whole_columns = len(rows) // 64 * 64, len(columns) // 64 * 64
        if row < whole_rows:
            return first + (row // 64 * len(columns) + column) * 64 + row % 64
        row, left = row - whole_rows, len(rows) - whole_rows
        if column < whole_columns:
            return second + (column // 64 * left + row) * 64 + column % 64
        return third + row * (len(columns) - whole_columns) + column - whole_columns


def permuted(half, fox, words, number):
    """Returns the index of a word of an ascending list in the order of the permuted bits."""
    square = lambda p, q: (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2
    points = sorted(
        range(16), key=lambda bit: -(square(half[bit], fox) + 2 * square(half[bit], (0, 0)))
    )
    read = lambda w: sum(1 << at for at, bit in enumerate(points) if w >> bit & 1)
    wanted = read(words[number])
    return sum(read(w) < wanted for w in words)


# ---- The rules -----------------------------------------------------------------------------------

FEWEST_GEESE = 4
DIRECTIONS = [(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if (dx, dy) != (0, 0)]


class Rules:
    """A rule set, from its identifier: a base and switches, joined by +."""

    def __init__(self, name):
        base, *switches = name.split("+")
        need(base in ("free", "first-capture", "forward"), "unknown rules: " + name)
        need(set(switches) <= {"orthogonal", "chain", "compulsory"}, "unknown rules: " + name)
        self.first_capture, self.forward = base == "first-capture", base == "forward"
        self.orthogonal, self.chain = "orthogonal" in switches, "chain" in switches
        self.compulsory = "compulsory" in switches

    def lines(self, point):
        """Returns the directions of the lines through a point; diagonals if it has d4's parity."""
        diagonals = not self.orthogonal and (point[0] + point[1]) % 2 == 0
        return [(dx, dy) for dx, dy in DIRECTIONS if diagonals or dx == 0 or dy == 0]

    def steps(self, point, taken):
        return [
            to
            for to in (beyond(point, d, 1) for d in self.lines(point))
            if to in POINTS and to not in taken
        ]

    def jumps(self, fox, geese):
        """Returns the destinations of captures, each with the captured goose."""
        over = ((beyond(fox, d, 1), beyond(fox, d, 2)) for d in self.lines(fox))
        return [
            (to, goose) for goose, to in over if goose in geese and to in POINTS and to not in geese
        ]

    def successors(self, fox, geese, side):
        """Yields the positions after each move; None for a capture that wins for the fox."""
        taken = set(geese) | {fox}
        if side == 1:
            for goose in geese:
                for to in self.steps(goose, taken):
                    if not self.forward or to[1] >= goose[1]:
                        yield fox, [to if p == goose else p for p in geese], 0
            return
        yield from self.captures(fox, geese)
        if not (self.compulsory and self.jumps(fox, geese)):
            for to in self.steps(fox, taken):
                yield to, geese, 1

    def captures(self, fox, geese):
        for to, goose in self.jumps(fox, geese):
            left = [p for p in geese if p != goose]
            if self.first_capture or len(left) < FEWEST_GEESE:
                yield None
                continue
            continues = self.chain and self.jumps(to, left)
            if not (continues and self.compulsory):
                yield to, left, 1
            if continues:
                yield from self.captures(to, left)

    def over(self, position):
        """Returns the side that has won, 0 or 1, if the game is over, and otherwise None."""
        if len(position[1]) < FEWEST_GEESE:
            return 0
        return None if any(True for _ in self.successors(*position)) else 1 - position[2]


def beyond(point, direction, steps):
    return (point[0] + steps * direction[0], point[1] + steps * direction[1])


# ---- The table file ------------------------------------------------------------------------------


class BadTable(Exception):
    pass


def need(condition, what):
    if not condition:
        raise BadTable(what)


LONGEST_DESCRIPTION = 1 << 18


class File:
    """The parts of a table of any game."""

    def __init__(self, path):
        self.path = path
        self.file = open(path, "rb")
        size = self.file.seek(0, 2)
        self.head = self.read(0, 4096)

        earlier = self.head[:8] == b"\x89ANSR\r\n\x1a"
        need(not earlier, "made before 0.1.0: solve the layer again")
        need(self.head[:8] == b"\x89HUNT\r\n\x1a", "not a table: wrong signature")
        version, kind, complete, length = self.number(8, "HBBI")
        need(
            version == 1 and length == 4096 and kind in (0, 1),
            "unknown version, header length or kind",
        )
        need(complete == 1, "the table is not complete")
        self.packed = kind == 1
        need(
            not any(self.head[148:152] + self.head[322:324] + self.head[376:4088]),
            "reserved bytes are not zero",
        )
        self.payload, self.payload_length, self.checks, self.checks_length = self.number(216, "4Q")
        need(self.payload == 4096, "wrong payload offset")
        page = 8 if self.packed else 4096
        end = 4096 + self.payload_length
        need(self.checks == -(-end // page) * page, "wrong offset of the checks")
        need(not any(self.read(end, self.checks - end)), "padding is not zero")
        description, length = self.number(344, "2Q")
        need(description == self.checks + self.checks_length, "wrong offset of the description")
        need(length <= LONGEST_DESCRIPTION, "the description is too long")
        need(size == description + length, "wrong length of the file")
        try:
            self.description = self.read(description, length).decode()
        except UnicodeDecodeError:
            raise BadTable("the description is not UTF-8")

    def number(self, at, form):
        return struct.unpack_from("<" + form, self.head, at)

    def text(self, at, length):
        return self.head[at : at + length].rstrip(b"\0").decode("ascii")

    def read(self, offset, length):
        self.file.seek(offset)
        data = self.file.read(length)
        need(len(data) == length, "the file is too short")
        return data


class Table(File):
    def __init__(self, path):
        super().__init__(path)
        self.others = {}
        number, text = self.number, self.text
        self.game, self.rules = text(16, 32), text(48, 64)
        lines = self.description.split("\n")
        need(lines[1:3] == ["game " + self.game, "rules " + self.rules], "another description")
        need(self.game == "fox-geese", "unknown game")
        self.moves = Rules(self.rules)
        self.layer, metric, self.bits = number(120, "HBB")
        self.distances = metric == 1
        need(self.head[124:128] == (b"D12+" if self.distances else b"D12-"), "unknown metric")
        tops = number(368, "4H")  # the largest codes of a table of distances
        self.largest = max(tops) if self.distances else 2
        need(self.bits == (max(1, self.largest.bit_length())), "wrong number of bits")
        need(self.distances or not any(tops), "distances in a table of outcomes")
        need((text(128, 16), *number(144, "H")) == ("cross33", 1), "unknown index scheme")
        (order,) = number(146, "H")
        need(order in GROUP_OF_ORDER, "unknown symmetry group")
        self.index = Index(GROUP_OF_ORDER[order], self.layer)
        self.entries = number(152, "2Q")
        need(
            self.entries == (self.index.entries,) * 2,
            "the number of entries is not that of the index",
        )

        if self.packed:
            self.stored, _, _, self.block_entries = number(320, "BbHI")
            self.blocks = number(328, "2Q")
            need(self.stored in (1, 2, 3), "unknown packing")
            need(self.block_entries in [1 << n for n in range(6, 21)], "wrong block size")
            for side in (0, 1):
                count = (
                    -(-self.entries[side] // self.block_entries) if self.stored >> side & 1 else 0
                )
                need(self.blocks[side] == count, "wrong number of blocks")
            need(self.checks_length == 16 * sum(self.blocks) + 8, "wrong length of the checks")
            numbers = struct.unpack(
                "<%dQ" % (self.checks_length // 8), self.read(self.checks, self.checks_length)
            )
            self.frames = numbers[
                ::2
            ]  # offsets of the frames, and the length of the payload; others are hashes
            need(
                self.frames[0] == 0 and self.frames[-1] == self.payload_length,
                "frames do not fill the payload",
            )
            need(all(a < b for a, b in zip(self.frames, self.frames[1:])), "frames out of order")
            import zstandard

            self.zstd = zstandard.ZstdDecompressor()
        else:
            need(not any(self.head[320:344]), "fields of packed tables are not zero")
            groups = sum(-(-n // 64) for n in self.entries)
            need(self.payload_length == 8 * self.bits * groups, "wrong length of the payload")
            self.stored = 3
            blocks = -(-self.payload_length // 16384)
            need(self.checks_length == 8 * blocks, "wrong length of the checks")

    @lru_cache(64)
    def block(self, frame, entries):
        """Returns form and content of a frame of `entries` entries."""
        begin, end = self.frames[frame : frame + 2]
        data = self.read(self.payload + begin, end - begin)
        need(data[:1] and data[0] < (4 if self.distances else 3), "an unknown form")
        form, data = data[0], data[1:]
        length = entries * (2 if form & 2 else 1) if self.distances else -(-entries // 64) * 16
        data = self.zstd.decompress(data, max_output_size=length)
        need(len(data) == length, "a frame has the wrong length")
        return form, data if self.distances else pairs_of(data, form)

    def code(self, side, entry):
        if not self.packed:
            group = sum(-(-n // 64) for n in self.entries[:side]) + entry // 64
            return code_in_group(
                self.read(self.payload + 8 * self.bits * group, 8 * self.bits), entry
            )
        entry = self.index.packed_index(entry)
        number, within = divmod(entry, self.block_entries)
        count = min(self.block_entries, self.entries[side] - number * self.block_entries)
        form, block = self.block(sum(self.blocks[:side]) + number, count)
        if not self.distances:
            return code_in_group(block[within // 64 * 16 :][:16], within)
        number = block[within] | (block[count + within] << 8 if form & 2 else 0)
        # One more than the plies: the side to move wins if they are odd.
        winner = side if number % 2 == 0 else 1 - side
        return 2 * number - 1 + winner if form & 1 and number else number

    def value(self, position):
        """Returns the outcome of a position, and its distance in plies or None."""
        return self.value_of(parse(position))

    def value_of(self, position):
        fox, geese, side = position
        need(len(geese) == self.layer, "the position is not in this layer")
        over = self.moves.over(position)
        if over is not None:
            return OUTCOMES[1 + over], 0 if self.distances else None
        if not self.stored >> side & 1:
            return self.look_ahead(position)
        code = self.code(side, self.index.rank(fox, geese))
        need(code <= self.largest, "an entry has no value")
        if not self.distances:
            return OUTCOMES[code], None  # the fox is the first side
        return (OUTCOMES[2 - code % 2], (code - 1) // 2) if code else ("draw", None)

    def look_ahead(self, position):
        """Returns the best value for the side to move over all moves, one ply before."""
        side = position[2]
        over = ("fox", 0 if self.distances else None)
        found = {
            over if after is None else self.of_layer(len(after[1])).value_of(after)
            for after in self.moves.successors(*position)
        }
        order = ["fox", "draw", "geese"] if side == 0 else ["geese", "draw", "fox"]
        best = next(outcome for outcome in order if outcome in {outcome for outcome, _ in found})
        if not self.distances or best == "draw":
            return best, None
        # The winner hurries, the loser delays.
        plies = [plies for outcome, plies in found if outcome == best]
        return best, 1 + (min(plies) if best == order[0] else max(plies))

    def of_layer(self, layer):
        """Returns the table of a layer: this one, or one in the same directory."""
        if layer == self.layer:
            return self
        if layer not in self.others:
            name = re.sub(
                r"[.]L%02d[.](wdl|dtw)[.]anserz?$" % self.layer, r".L%02d.\1.anser" % layer, self.path
            )
            found = [
                name + end for end in ("", "z") if name != self.path and os.path.exists(name + end)
            ]
            need(
                found,
                "a capture leads to layer %d, whose table is not in the same directory" % layer,
            )
            self.others[layer] = Table(found[0])
        return self.others[layer]


OUTCOMES = ("draw", "fox", "geese")


def pairs_of(data, planes):
    """Returns two planes as pairs of words."""
    words = struct.unpack("<%dQ" % (len(data) // 8), data)
    pairs = []
    for a, b in zip(words[: len(words) // 2], words[len(words) // 2 :]):
        need(not (a & b if planes == 0 else a & ~b), "an entry has no value")
        pairs += [(a, b), (a, b & ~a), (b & ~a, a)][planes]
    return struct.pack("<%dQ" % len(pairs), *pairs)


def code_in_group(group, entry):
    """Returns the code of an entry: bit `entry % 64` of each word of its group, lowest first."""
    words = struct.unpack("<%dQ" % (len(group) // 8), group)
    return sum((word >> entry % 64 & 1) << bit for bit, word in enumerate(words))


# ---- Positions -----------------------------------------------------------------------------------


def parse(position):
    """Returns the point of the fox, the points of the geese, and the side to move: 0 is the fox."""
    words = position.split()
    need(len(words) == 2, "bad position: " + position)
    board, side = words
    found = {"F": [], "g": []}
    rows = board.split("/")
    need(len(rows) == 7 and side in ("f", "g"), "bad position: " + position)
    for y, row in zip(range(3, -4, -1), rows):
        squares = "".join("." * int(c) if c.isdigit() else c for c in row)
        points = [p for p in POINTS if p[1] == y]
        need(
            len(squares) == len(points) and set(squares) <= set(".Fg"), "bad position: " + position
        )
        for point, square in zip(points, squares):
            if square != ".":
                found[square].append(point)
    need(len(found["F"]) == 1, "bad position: " + position)
    return found["F"][0], found["g"], "fg".index(side)


def check(table, path):
    """Compares the table with lines `position,outcome[,plies]`; counts the differences."""
    with open(path) as lines:
        rows = [
            line.strip().split(",") for line in lines if not line.startswith(("#", "position,"))
        ]
    wrong = 0
    for position, outcome, *plies in rows:
        try:
            found, distance = table.value(position)
            differs = found != outcome or (
                plies and plies[0] != ("" if distance is None else str(distance))
            )
            text = "%s in the table, %s in the file" % (
                text_of((found, distance)),
                " ".join([outcome, *plies]),
            )
        except BadTable as error:
            differs, text = True, str(error)
        if differs:
            wrong += 1
            print("%s: %s" % (position, text))
    print("%d of %d positions agree" % (len(rows) - wrong, len(rows)))
    return wrong


def text_of(value):
    outcome, plies = value
    return outcome if plies is None else "%s %d" % (outcome, plies)


def main(arguments):
    wanted = {"--check": 3, "--description": 2}
    if len(arguments) < 2 or len(arguments) != wanted.get(arguments[1], len(arguments)):
        sys.exit(__doc__)
    try:
        if arguments[1] == "--description":
            # No control characters for the terminal.
            text = File(arguments[0]).description
            shown = (c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in text)
            print("".join(shown), end="")
            return
        table = Table(arguments[0])
        if arguments[1] == "--check":
            sys.exit(min(1, check(table, arguments[2])))
    except (BadTable, OSError, ImportError) as error:
        sys.exit("%s: %s" % (arguments[0], error))
    failed = False
    for position in arguments[1:]:
        try:
            print(text_of(table.value(position)), flush=True)
        except (BadTable, OSError) as error:
            # Every position keeps its line of output.
            failed = True
            print("-", flush=True)
            print("%s: %s: %s" % (arguments[0], position, error), file=sys.stderr)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
