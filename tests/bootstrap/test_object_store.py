"""The object store of the tests, as they start it."""

from pathlib import Path

import boto3
import pytest
from botocore.exceptions import EndpointConnectionError

from bootstrap.services import PrivateObjectStore

pytestmark = pytest.mark.faults


def test_object_store_keeps_its_objects_through_a_kill(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"kept")
    with PrivateObjectStore() as server:
        with pytest.MonkeyPatch.context() as patch:
            for name, value in server.variables().items():
                patch.setenv(name, value)
            client = boto3.session.Session().client("s3")
        client.upload_file(str(tmp_path / "file"), "releases", "a/b")
        server.kill()
        with pytest.raises(EndpointConnectionError):
            client.list_buckets()
        server.start()
        assert client.get_object(Bucket="releases", Key="a/b")["Body"].read() == b"kept"
        assert (server.objects / "a" / "b").read_bytes() == b"kept"
    assert not server.folder.exists()


def test_object_store_keeps_its_secret_from_other_accounts() -> None:
    with PrivateObjectStore() as server:
        arguments = Path(f"/proc/{server.process.pid}/cmdline").read_bytes()
        assert b"--addr" in arguments
        assert server.password.encode() not in arguments
