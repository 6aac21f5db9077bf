# SPDX-License-Identifier: BSD-3-Clause
"""The small ONC RPC of workloads/lib/rpc.c against RFC 5531, byte by byte."""

import ctypes
import shutil
import struct
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

ROOT = Path(__file__).resolve().parents[2]
pytestmark = [
    pytest.mark.build,
    pytest.mark.skipif(shutil.which("gcc") is None, reason="no host gcc"),
]

PROGRAM, VERSION, ECHO = 0x20001996, 1, 1
CALL, REPLY, RPC = 0, 1, 2
ROOM = 512
LAST = 1 << 31


def words(*values):
    return struct.pack(f">{len(values)}I", *(value % (1 << 32) for value in values))


class Codec:
    """rpc.c by way of ctypes; each buffer has just the bytes that a function may touch."""

    def __init__(self, path):
        self.library = ctypes.CDLL(str(path))
        for name in ("rpc_put_call", "rpc_answer", "rpc_put_record"):
            getattr(self.library, name).restype = ctypes.c_size_t
        self.library.rpc_get_reply.restype = ctypes.c_char_p

    def call(self, *fields, argument=0):
        out = ctypes.create_string_buffer(ROOM)
        asked = (ctypes.c_uint32 * 4)(*fields)
        size = self.library.rpc_put_call(out, asked, ctypes.c_int8(argument))
        return out.raw[:size]

    def answer(self, message):
        out = ctypes.create_string_buffer(ROOM)
        size = self.library.rpc_answer(message, ctypes.c_size_t(len(message)), out)
        return out.raw[:size]

    def reply(self, message, xid):
        result = ctypes.c_int8(0)
        size = ctypes.c_size_t(len(message))
        word = self.library.rpc_get_reply(message, size, ctypes.c_uint32(xid), ctypes.byref(result))
        return word.decode() if word else result.value

    def record(self, message):
        out = ctypes.create_string_buffer(ROOM + 4)
        size = self.library.rpc_put_record(out, message, ctypes.c_size_t(len(message)))
        return out.raw[:size]

    def unmark(self, raw):
        out, size = ctypes.create_string_buffer(ROOM), ctypes.c_size_t(0)
        have = ctypes.c_size_t(len(raw))
        state = self.library.rpc_get_record(raw, have, out, ctypes.byref(size))
        return out.raw[: size.value] if state == 1 else state


@pytest.fixture(scope="module")
def codec(tmp_path_factory):
    target = tmp_path_factory.mktemp("rpc") / "rpc.so"
    flags = ["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    source = ROOT / "workloads" / "lib" / "rpc.c"
    subprocess.run(["gcc", *flags, source, "-o", target], check=True)
    return Codec(target)


HEADER = (7, CALL, RPC, PROGRAM, VERSION, ECHO)
NO_AUTH = (0, 0, 0, 0)
ACCEPTED = (7, REPLY, 0, 0, 0)
GOOD_REPLY = words(*ACCEPTED, 0, 65)


@pytest.mark.parametrize("value", [-128, -1, 0, 65, 127])
def test_a_call_and_its_reply_are_those_of_the_rfc(codec, value):
    call = codec.call(7, PROGRAM, VERSION, ECHO, argument=value)
    assert call == words(*HEADER, *NO_AUTH, value)
    reply = codec.answer(call)
    assert reply == words(*ACCEPTED, 0, value)
    assert codec.reply(reply, 7) == value


def test_the_null_procedure_takes_and_gives_nothing(codec):
    call = codec.call(7, PROGRAM, VERSION, 0)
    assert call == words(7, CALL, RPC, PROGRAM, VERSION, 0, *NO_AUTH)
    assert codec.answer(call) == words(*ACCEPTED, 0)


def test_credentials_are_skipped_with_their_padding(codec):
    known = words(*HEADER, 1, 5) + b"whoam\0\0\0" + words(0, 0, 65)
    assert codec.answer(known) == GOOD_REPLY


@pytest.mark.parametrize(
    ("call", "reply"),
    [
        (words(7, CALL, 3, PROGRAM, VERSION, ECHO, *NO_AUTH, 65), words(7, REPLY, 1, 0, 2, 2)),
        (words(7, CALL, RPC, 100003, VERSION, ECHO, *NO_AUTH, 65), words(*ACCEPTED, 1)),
        (words(7, CALL, RPC, PROGRAM, 2, ECHO, *NO_AUTH, 65), words(*ACCEPTED, 2, 1, 1)),
        (words(7, CALL, RPC, PROGRAM, VERSION, 9, *NO_AUTH, 65), words(*ACCEPTED, 3)),
        (words(*HEADER, *NO_AUTH), words(*ACCEPTED, 4)),
        (words(*HEADER, *NO_AUTH, 65, 65), words(*ACCEPTED, 4)),
        (words(*HEADER, *NO_AUTH, 128), words(*ACCEPTED, 4)),
        (words(*HEADER, *NO_AUTH, 65) + b"\0", words(*ACCEPTED, 4)),
        (words(*HEADER, 1, 404, 0), words(*ACCEPTED, 4)),
        (words(*HEADER, 1, 0xFFFFFFFE, 0), words(*ACCEPTED, 4)),
        (words(*HEADER), words(*ACCEPTED, 4)),
        (GOOD_REPLY, b""),
        (words(7, CALL), b""),
        (b"", b""),
    ],
)
def test_the_server_refuses_as_the_rfc_says(codec, call, reply):
    assert codec.answer(call) == reply
    if reply:
        assert isinstance(codec.reply(reply, 7), str)


@pytest.mark.parametrize(
    ("reply", "word"),
    [
        (words(8, REPLY, 0, 0, 0, 0, 65), "rpc-wrong-xid"),
        (words(7, CALL, 0, 0, 0, 0, 65), "rpc-no-reply"),
        (words(7, REPLY, 1, 0, 2, 2), "rpc-denied"),
        (words(7, REPLY, 1, 1, 5), "rpc-denied"),
        (words(7, REPLY, 0, 1, 0, 0, 65), "rpc-wrong-verifier"),
        (words(7, REPLY, 0, 0, 4, 0, 0, 65), "rpc-wrong-verifier"),
        (words(*ACCEPTED, 1), "rpc-no-program"),
        (words(*ACCEPTED, 2, 1, 1), "rpc-wrong-version"),
        (words(*ACCEPTED, 3), "rpc-no-procedure"),
        (words(*ACCEPTED, 4), "rpc-garbage-args"),
        (words(*ACCEPTED, 5), "rpc-unknown-status"),
        (words(*ACCEPTED, 0), "rpc-short-reply"),
        (words(*ACCEPTED, 0, 65, 0), "rpc-long-reply"),
        (words(*ACCEPTED, 0, 128), "rpc-wrong-char"),
        (words(7, REPLY), "rpc-short-reply"),
        (words(7, REPLY, 0, 0), "rpc-short-reply"),
    ],
)
def test_the_client_refuses_every_wrong_field(codec, reply, word):
    assert codec.reply(reply, 7) == word


def test_a_record_comes_whole_in_any_fragments(codec):
    message = codec.call(7, PROGRAM, VERSION, ECHO, argument=65)
    whole = codec.record(message)
    assert whole == words(LAST | len(message)) + message
    split = words(4) + message[:4] + words(0) + words(LAST | len(message) - 4) + message[4:]
    for raw in (whole, split):
        assert codec.unmark(raw) == message
        assert [codec.unmark(raw[:n]) for n in range(len(raw))] == [0] * len(raw)


@pytest.mark.parametrize(
    "raw",
    [
        words(LAST | 4, 1, LAST | 4, 1),
        words(LAST | ROOM + 1),
        words(0x7FFFFFFF),
        words(4, 1, LAST | ROOM),
    ],
)
def test_two_records_or_one_too_long_are_refused(codec, raw):
    assert codec.unmark(raw) == -1


@settings(deadline=None)
@given(st.binary(max_size=ROOM))
def test_no_bytes_harm_either_side(codec, noise):
    reply = codec.answer(noise)
    assert len(reply) <= ROOM and reply[:4] == noise[: len(reply)][:4]
    found = codec.reply(noise, 7)
    assert isinstance(found, str) or noise == words(*ACCEPTED, 0, found)
    assert isinstance(codec.unmark(noise), (int, bytes))
