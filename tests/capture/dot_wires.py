"""Bytes as the senders of dot streams write them, from pictures: rows x columns of 0 to 15, or of colours."""

import struct
import zlib

import numpy as np

SIZE = (128, 32)


def dndp(kind: int, content: bytes = b"", panel: int = 0) -> bytes:
    return b"DNDP" + struct.pack("<IBB", len(content) + 2, kind, panel) + content


def dndp_size(columns: int = 128, rows: int = 32, panel: int = 0) -> bytes:
    return dndp(0x01, struct.pack("<HH", columns, rows), panel)


def pack(values: np.ndarray, bits: int) -> bytes:
    """First dot in the highest bits, without padding between rows."""
    flat = values.reshape(-1)
    text = "".join(f"{value:0{bits}b}" for value in flat)
    text += "0" * (-len(text) % 8)
    return int(text, 2).to_bytes(len(text) // 8, "big")


def dndp_frame(dots: np.ndarray, bits: int = 4, panel: int = 0) -> bytes:
    if bits == 24:
        return dndp(0x83, dots.astype(np.uint8).tobytes(), panel)
    values = dots if bits == 4 else (dots >> 2 if bits == 2 else dots * 17)
    return dndp({2: 0x80, 4: 0x81, 8: 0x82}[bits], pack(values.astype(int), bits), panel)


def dmdreader(dots: np.ndarray, bits: int = 4, *, summed: bool = True) -> bytes:
    pixels = pack((dots if bits == 4 else dots >> 2).astype(int), bits)
    pixels += bytes(-len(pixels) % 4)
    turned = b"".join(pixels[i : i + 4][::-1] for i in range(0, len(pixels), 4))
    total = struct.pack(">I", zlib.crc32(turned)) if summed else b""
    rows, columns = dots.shape
    length = 12 + len(total) + len(pixels)
    return struct.pack(">6H", length, 0x44EE if summed else 0xCC33, rows, columns, 0, bits) + total + pixels


def stream_head(mode: int, columns: int, rows: int, length: int, order: str = ">") -> bytes:
    return b"DMDStream\0" + struct.pack(f"{order}BiHHBBI", 1, mode, columns, rows, 0, 0, length)


def libdmdutil(colours: np.ndarray, mode: int = 2, order: str = ">") -> bytes:
    rows, columns, _ = colours.shape
    if mode == 2:
        content = colours.astype(np.uint8).tobytes()
    else:
        parts = colours.astype(np.uint16)
        word = (parts[..., 0] >> 3) << 11 | (parts[..., 1] >> 2) << 5 | parts[..., 2] >> 3
        content = word.astype(f"{order}u2").tobytes()
    return stream_head(mode, columns, rows, len(content), order) + content


def libdmdutil_update(dots: np.ndarray, depth: int = 4, mode: int = 1, *, has_dots: bool = True) -> bytes:
    """As VPX standalone sends it: an Update behind names and paths."""
    rows, columns = dots.shape[:2]
    data = dots.astype(np.uint8).tobytes().ljust(256 * 64 * 3, b"\0")
    words = bytes(256 * 64 * 2 + 256)
    update = struct.pack(">iii", mode, 0, depth) + data + words
    update += struct.pack(">BBBBBBHH", has_dots, 0, 0, 255, 140, 0, columns, rows)
    paths = b"Paths\0" + b"afm_113b".ljust(16, b"\0") + bytes(512)
    return stream_head(1, 0, 0, 0) + paths + update


def planes(values: np.ndarray, bits: int) -> bytes:
    return b"".join(np.packbits(values.reshape(-1) >> bit & 1, bitorder="little").tobytes() for bit in range(bits))


def boxed(message: bytes) -> bytes:
    """As the WebSocket port hands a message on."""
    return struct.pack("<I", len(message)) + message


def ext(tag: int, content: bytes = b"", at: int = 7) -> bytes:
    return boxed(bytes([tag]) + struct.pack("<I", at) + content)


def ext_size(columns: int = 128, rows: int = 32) -> bytes:
    return ext(0x01, struct.pack("<HH", columns, rows))


def ext_grey(dots: np.ndarray, bits: int = 4) -> bytes:
    return ext(0x10, bytes([bits]) + planes(dots if bits == 4 else dots >> 2, bits))


def ext_coloured(dots: np.ndarray, palette: list[int], bits: int = 4) -> bytes:
    return ext(0x11, bytes([bits]) + struct.pack(f"<{len(palette)}I", *palette) + planes(dots, bits))


def named(name: str, content: bytes) -> bytes:
    """As the released program of dmd-extensions writes its messages."""
    return boxed(name.encode() + b"\0" + content)


def tinted(dots: np.ndarray, colour: tuple[int, int, int] = (255, 140, 0)) -> np.ndarray:
    """Levels of 0 to 15 in one colour."""
    return (dots[..., None].astype(np.float32) / 15 * np.array(colour)).round().astype(np.uint8)
