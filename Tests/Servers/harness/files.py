"""Files with the names and sizes that go wrong elsewhere."""

import hashlib
import unicodedata

# A name that is 200 characters long, and names with what URLs, shells, headers and XML give a meaning.
NAMES = ["a b.bin", "quote'\".bin", "hash#.bin", "what?.bin", "%41 100%.bin", "ümläut.bin", unicodedata.normalize("NFD", "é.bin"), "日本語.bin",
         "🎞 film.bin", "plus+&=;,.bin", "[1]{2}(3).bin", "<tag>&amp;.bin", "back\\slash.bin", "l" * 196 + ".bin", "$HOME`~!@^*|.bin", "..dots...bin"]
SIZES = [0, 1, 4096, 262_144, 262_145, 5 << 20]


def sizes(count, largest, draw):
    """So many sizes of bytes up to the largest, which is one of them; most are small."""
    fixed = [size for size in SIZES if size <= largest] + [largest]
    return [fixed[index] if index < len(fixed) else draw.randrange(largest if index % 5 == 0 else largest // 16 + 1)
            for index in range(count)]


def make(folder, lengths, draw, tree=False):
    """Writes one file for each length, and returns their digests (SHA-256) by path below the folder."""
    digests = {}
    for index, size in enumerate(lengths):
        name = ("-" if index % 7 == 6 else "") + f"{index:02d} {NAMES[index % len(NAMES)]}"
        name = name[:200]
        if tree:
            name = "/".join([["top", "a b/ü#?", "100%/+&/'quoted'"][index % 3], name])
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        digest = hashlib.sha256()
        with open(path, "wb") as file:
            while size > 0:
                piece = draw.randbytes(min(size, 1 << 20))
                file.write(piece)
                digest.update(piece)
                size -= len(piece)
        digests[name] = digest.hexdigest()
    return digests


def digest(path):
    """The SHA-256 of a file, in hexadecimal."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
