"""A release signed with an OpenSSH key: whose it is, beside what it is.

The signature is of SHA256SUMS, which names the bytes of every file, and lies beside it. It is
OpenSSH's own (PROTOCOL.sshsig) and made by its `ssh-keygen`, so that any key works that works for
ssh, one in an agent or on a token too, and so that readers check it without this program.
"""

import os
import re
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.stored.manifest import CHECKSUMS, SIGNATURE

NAMESPACE = "tomahto-release"  # what the signature is for: it is good for nothing else
_PRINCIPAL = "author"
_PUBLIC_KEY = re.compile(r"(ssh|ecdsa|sk)-[!-~]+ [A-Za-z0-9+/]+=*( .*)?")
_SECONDS = 120  # somebody may have to touch a token

Sign: TypeAlias = Callable[[bytes], bytes]


def signer(key: Path) -> Sign:
    """Signs with a private key, or with the public half of one that an ssh-agent holds.

    Raises ReleaseError in one line, now rather than later, if that is not possible.
    """

    def sign(content: bytes) -> bytes:
        done = _ssh_keygen(["-Y", "sign", "-f", str(key), "-n", NAMESPACE], content)
        if done.returncode or not done.stdout.startswith(b"-----BEGIN SSH SIGNATURE-----"):
            raise ReleaseError(f"{key}: cannot sign: {_advice(done, key)}: {_reason(done)}")
        return done.stdout

    if not key.is_file():
        raise ReleaseError(f"{key}: cannot sign: the file does not exist")
    sign(b"")
    return sign


def add_signature(folder: Path, sign: Sign) -> None:
    """Sign a release that lies in a folder and was verified; the signature appears whole or not.

    Raises ReleaseError if it is signed already.
    """
    place = folder / SIGNATURE
    if os.path.lexists(place):
        raise ReleaseError(f"{place} already exists; a signature is never overwritten")
    partial = folder.with_name(f".{folder.name}.{secrets.token_hex(8)}.partial")
    try:
        with partial.open("xb") as file:
            file.write(sign((folder / CHECKSUMS).read_bytes()))
            file.flush()
            os.fsync(file.fileno())
        partial.rename(place)
    finally:
        partial.unlink(missing_ok=True)


def signature_differences(folder: Path, public_keys: Path) -> list[str]:
    """The faults of a release's signature, if one of the public keys should have made it.

    `public_keys` has keys as OpenSSH writes them, one in a line. That SHA256SUMS fits the files is
    not looked at here. Raises ReleaseError if the file does not hold public keys.
    """
    keys = _public_keys(public_keys)
    place = folder / SIGNATURE
    if place.is_symlink() or not place.is_file():
        return [f"{SIGNATURE}: is missing: the release is not signed"]
    if not (folder / CHECKSUMS).is_file():
        return [f"{SIGNATURE}: {CHECKSUMS}, which it should sign, is missing"]
    with tempfile.TemporaryDirectory() as temporary:
        allowed = Path(temporary, "allowed_signers")
        allowed.write_text("".join(f"{_PRINCIPAL} {key}\n" for key in keys), encoding="utf-8")
        options = ["-f", str(allowed), "-I", _PRINCIPAL, "-n", NAMESPACE, "-s", str(place)]
        done = _ssh_keygen(["-Y", "verify", *options], (folder / CHECKSUMS).read_bytes())
    if done.returncode:
        return [f"{SIGNATURE}: is not a signature of {CHECKSUMS} by {public_keys}"]
    return []


def _public_keys(path: Path) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ReleaseError(f"{path}: cannot be read as public keys: {error}") from error
    numbered = [(number, line.strip()) for number, line in enumerate(lines, start=1)]
    keys = [(number, line) for number, line in numbered if line and not line.startswith("#")]
    for number, line in keys:
        if "PRIVATE KEY" in line:
            raise ReleaseError(f"{path}: is a private key; give its public half")
        if not _PUBLIC_KEY.fullmatch(line):
            raise ReleaseError(f"{path}, line {number}: is not a public key of OpenSSH")
    if not keys:
        raise ReleaseError(f"{path}: has no public key")
    return [line for _, line in keys]


def _ssh_keygen(options: Sequence[str], given: bytes) -> "subprocess.CompletedProcess[bytes]":
    """Run it without a terminal, so that it asks nobody for a passphrase."""
    program = shutil.which("ssh-keygen")
    if program is None:
        raise ReleaseError("signatures need ssh-keygen, which comes with OpenSSH")
    try:
        return subprocess.run(  # noqa: S603 - a fixed program; paths are arguments, not a shell's
            [program, *options],
            input=given,
            capture_output=True,
            check=False,
            timeout=_SECONDS,
            start_new_session=True,
            env={**os.environ, "SSH_ASKPASS_REQUIRE": "never", "LC_ALL": "C"},
        )
    except subprocess.TimeoutExpired:
        raise ReleaseError(f"ssh-keygen did not answer within {_SECONDS} seconds") from None


def _reason(done: "subprocess.CompletedProcess[bytes]") -> str:
    """The output of ssh-keygen, in one line and without the frames it draws."""
    lines = done.stderr.decode(errors="replace").removeprefix("Enter passphrase: ").splitlines()
    said = [line.strip() for line in lines if line.strip() and not line.startswith("@@@")]
    return "; ".join(said) or "ssh-keygen does not say why"


def _advice(done: "subprocess.CompletedProcess[bytes]", key: Path) -> str:
    if b"passphrase" in done.stderr:
        return f"it has a passphrase; `ssh-add {key}` opens it, then sign with {key}.pub"
    return "no private key of OpenSSH, nor the public half of one in your ssh-agent"
