"""Signatures are OpenSSH's: made by it, and good for whoever has it."""

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.exporters.builders import write_release
from tests.exporters.samples import CONTENT
from tests.sampling import mostly
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.stored.signature import add_signature, signature_differences, signer
from tomahto.releases.verification.verify import verify_release

pytestmark = pytest.mark.slow


WRONG = "SHA256SUMS.sig: is not a signature of SHA256SUMS by "
MakeKey = Callable[..., Path]


@pytest.fixture
def make_key(tmp_path: Path) -> MakeKey:
    def make(name: str = "key", kind: str = "ed25519", passphrase: str = "") -> Path:
        key = tmp_path / name
        options = ["-t", kind, "-N", passphrase, "-C", "ada@example.org", "-f", str(key), "-q"]
        subprocess.run(["ssh-keygen", *options], check=True)
        return key

    return make


def public(key: Path) -> Path:
    return key.with_name(f"{key.name}.pub")


@pytest.mark.parametrize("kind", mostly(["ed25519", "ecdsa", "rsa"], "ed25519"))
def test_a_release_is_signed_as_it_is_written(make_key: MakeKey, tmp_path: Path, kind: str) -> None:
    key = make_key(kind=kind)
    write_release(CONTENT, tmp_path / "out", sign=signer(key))
    assert verify_release(tmp_path / "out") == []
    assert signature_differences(tmp_path / "out", public(key)) == []


def test_a_release_is_signed_later(make_key: MakeKey, release: Path) -> None:
    before = (release / "SHA256SUMS").read_bytes()
    key = make_key()
    add_signature(release, signer(key))
    assert verify_release(release) == []
    assert signature_differences(release, public(key)) == []
    assert (release / "SHA256SUMS").read_bytes() == before
    assert [path.name for path in release.parent.iterdir() if path.name.startswith(".")] == []


def test_a_signature_is_checked_with_nothing_but_openssh(
    make_key: MakeKey, release: Path, tmp_path: Path
) -> None:
    # the line of docs/releases.md
    key = make_key()
    add_signature(release, signer(key))
    line = (
        'echo "author $(cat ../key.pub)" > ../signers && '
        "ssh-keygen -Y verify -f ../signers -I author -n tomahto-release "
        "-s SHA256SUMS.sig < SHA256SUMS && sha256sum --check --quiet SHA256SUMS"
    )
    shutil.copytree(release, tmp_path / "theirs")
    shell = ["bash", "-c", line]
    good = subprocess.run(shell, cwd=tmp_path / "theirs", check=True, capture_output=True)
    assert good.stdout.startswith(b'Good "tomahto-release" signature for author with ED25519 key')
    (tmp_path / "theirs/README.md").write_text("Other words.")
    bad = subprocess.run(shell, cwd=tmp_path / "theirs", check=False, capture_output=True)
    assert bad.returncode == 1


def test_a_signature_made_with_ssh_keygen_itself_is_known(make_key: MakeKey, release: Path) -> None:
    key = make_key()
    command = ["ssh-keygen", "-Y", "sign", "-f", str(key), "-n", "tomahto-release", "SHA256SUMS"]
    subprocess.run(command, cwd=release, check=True, capture_output=True)
    assert verify_release(release) == []
    assert signature_differences(release, public(key)) == []


def test_a_signature_of_something_else_is_found(make_key: MakeKey, release: Path) -> None:
    key, other = make_key(), make_key("other")
    assert signature_differences(release, public(key)) == [
        "SHA256SUMS.sig: is missing: the release is not signed"
    ]
    add_signature(release, signer(other))
    assert signature_differences(release, public(key)) == [f"{WRONG}{public(key)}"]
    both = public(key).with_name("both.pub")
    both.write_text(f"# ours\n\n{public(key).read_text()}{public(other).read_text()}")
    assert signature_differences(release, both) == []
    (release / "SHA256SUMS").write_bytes((release / "SHA256SUMS").read_bytes() + b"\n")
    assert signature_differences(release, both) == [f"{WRONG}{both}"]


def test_a_signature_for_another_purpose_is_none_of_a_release(
    make_key: MakeKey, release: Path
) -> None:
    key = make_key()
    command = ["ssh-keygen", "-Y", "sign", "-f", str(key), "-n", "file", "SHA256SUMS"]
    subprocess.run(command, cwd=release, check=True, capture_output=True)
    assert signature_differences(release, public(key)) == [f"{WRONG}{public(key)}"]


def test_any_changed_letter_of_a_signature_is_found(make_key: MakeKey, release: Path) -> None:
    key, place = make_key(), release / "SHA256SUMS.sig"
    add_signature(release, signer(key))
    text = place.read_text()
    lines = text.splitlines(keepends=True)
    body = range(len(lines[0]), len(text) - len(lines[-1]) - len("=\n"))
    letters = [number for number in body if text[number] not in "=\n"]
    for number in letters[::7]:
        letter = "A" if text[number] != "A" else "B"
        place.write_text(text[:number] + letter + text[number + 1 :])
        assert signature_differences(release, public(key)) == [f"{WRONG}{public(key)}"], number
    place.write_text(text)
    assert signature_differences(release, public(key)) == []


@pytest.mark.parametrize("take", [Path.mkdir, lambda place: place.symlink_to("SHA256SUMS")])
def test_a_signature_is_a_plain_file(
    make_key: MakeKey, release: Path, take: Callable[[Path], None]
) -> None:
    take(release / "SHA256SUMS.sig")
    assert len(verify_release(release)) == 1
    assert signature_differences(release, public(make_key())) == [
        "SHA256SUMS.sig: is missing: the release is not signed"
    ]


def test_a_signature_is_never_overwritten(make_key: MakeKey, release: Path) -> None:
    add_signature(release, signer(make_key()))
    before = (release / "SHA256SUMS.sig").read_bytes()
    with pytest.raises(ReleaseError, match="a signature is never overwritten"):
        add_signature(release, signer(make_key("other")))
    assert (release / "SHA256SUMS.sig").read_bytes() == before


def test_keys_that_cannot_sign_are_refused_in_one_line(make_key: MakeKey, tmp_path: Path) -> None:
    locked = make_key("locked", passphrase="open sesame")
    advice = (
        rf"it has a passphrase; `ssh-add {locked}` opens it, then sign with {locked}\.pub: Load "
    )
    with pytest.raises(ReleaseError, match=rf"^{locked}: cannot sign: {advice}"):
        signer(locked)
    nowhere = tmp_path / "nowhere"
    with pytest.raises(ReleaseError, match=rf"^{nowhere}: cannot sign: the file does not exist$"):
        signer(nowhere)
    text, lonely, readable = tmp_path / "text", make_key("lonely"), make_key("readable")
    text.write_text("no key\n")
    lonely.unlink()
    readable.chmod(0o644)  # which ssh takes for stolen
    for key in (text, public(lonely), readable):
        with pytest.raises(ReleaseError) as refused:
            signer(key)
        message = str(refused.value)
        assert message.startswith(f"{key}: cannot sign: no private key of OpenSSH, nor the public ")
        assert len(message.splitlines()) == 1


@pytest.fixture
def agent() -> Iterator[dict[str, str]]:
    """An ssh-agent of its own; the variables that lead to it. Addresses of sockets are short."""
    with tempfile.TemporaryDirectory() as folder:
        socket = Path(folder, "agent")
        program = subprocess.Popen(["ssh-agent", "-D", "-a", str(socket)], stdout=subprocess.PIPE)
        assert program.stdout is not None
        program.stdout.readline()  # it listens
        yield {"SSH_AUTH_SOCK": str(socket)}
        program.terminate()
        program.communicate()


def test_a_key_in_an_agent_signs_by_its_public_half(
    make_key: MakeKey, release: Path, agent: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    key = make_key()
    for name, value in agent.items():
        monkeypatch.setenv(name, value)
    subprocess.run(["ssh-add", "-q", str(key)], check=True, capture_output=True)
    key.unlink()
    add_signature(release, signer(public(key)))
    assert signature_differences(release, public(key)) == []


def test_public_keys_are_wanted_to_check_with(make_key: MakeKey, release: Path) -> None:
    key = make_key()
    add_signature(release, signer(key))
    with pytest.raises(ReleaseError, match=r"key: is a private key; give its public half$"):
        signature_differences(release, key)
    empty = key.with_name("empty")
    empty.write_text("# nobody\n")
    with pytest.raises(ReleaseError, match=r"empty: has no public key$"):
        signature_differences(release, empty)
    empty.write_text(f'# one\n* cert-authority,namespaces="*" {public(key).read_text()}')
    with pytest.raises(ReleaseError, match=r"empty, line 2: is not a public key of OpenSSH$"):
        signature_differences(release, empty)
    with pytest.raises(ReleaseError, match=r"nowhere: cannot be read as public keys: "):
        signature_differences(release, key.with_name("nowhere"))


def test_without_openssh_signatures_say_what_is_missing(
    make_key: MakeKey, release: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = make_key()
    add_signature(release, signer(key))
    monkeypatch.setenv("PATH", str(release))
    for use in (lambda: signer(key), lambda: signature_differences(release, public(key))):
        with pytest.raises(ReleaseError, match="signatures need ssh-keygen, which comes with"):
            use()
    assert verify_release(release) == []
