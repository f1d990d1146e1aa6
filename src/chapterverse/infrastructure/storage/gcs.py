"""Bucket and Uploads on Google Cloud Storage."""

from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from hashlib import md5
from typing import Any

from google.api_core.exceptions import Forbidden, PreconditionFailed, RetryError, ServerError, TooManyRequests, Unauthorized
from google.api_core.exceptions import NotFound as ObjectNotFound
from google.auth.credentials import AnonymousCredentials, Credentials, Signing
from google.auth.exceptions import GoogleAuthError
from google.auth.transport.requests import Request
from google.cloud.storage import Blob, Bucket, Client
from google.cloud.storage.exceptions import DataCorruption
from google.cloud.storage.retry import DEFAULT_RETRY
from requests.exceptions import RequestException

from chapterverse.core.errors import BucketUnavailable, NotFound, TooLarge
from chapterverse.core.names import media_type_of
from chapterverse.core.tasks import StoredFile
from chapterverse.infrastructure.storage.folder import parts_of

_TO_SIGN = ["https://www.googleapis.com/auth/cloud-platform"]
BYTES = "application/octet-stream"
SIZE = "x-goog-content-length-range"  # signed: a body of another size is refused with 400


def open_bucket(name: str) -> Bucket:
    """A client with the workload's own identity, or of the emulator at STORAGE_EMULATOR_HOST. Raises BucketUnavailable without
    one: an event then comes again."""
    try:
        return Client().bucket(name)
    except GoogleAuthError as error:
        raise BucketUnavailable("google_no_account") from error


@dataclass(frozen=True, slots=True)
class GcsBucket:
    """Bucket on Cloud Storage. Needs roles/storage.objectUser on it.

    Every change names the generation it expects, so the library can repeat it safely after a lost response. Names as in
    FolderBucket; raises BadRequest for others."""

    bucket: Bucket
    seconds: float = 30.0  # of retries for one call

    def write(self, name: str, data: bytes) -> None:
        parts_of(name)
        blob, digest = self.bucket.blob(name), b64encode(md5(data, usedforsecurity=False).digest()).decode()
        with google_errors_as_ours(self.bucket):
            there = self.bucket.get_blob(name, **_times(self.seconds))
            if there and there.md5_hash == digest:
                return
            expected = there.generation if there else 0
            with suppress(PreconditionFailed):  # another write came first, or our own whose response was lost
                blob.upload_from_string(data, if_generation_match=expected, content_type=BYTES, **_times(self.seconds))

    def read(self, name: str) -> bytes:
        parts_of(name)
        with google_errors_as_ours(self.bucket):
            try:
                data: bytes = self.bucket.blob(name).download_as_bytes(**_times(self.seconds))
            except ObjectNotFound as error:
                raise NotFound("nothing_stored", name=name) from error
        return data

    open = read  # all of the data: a file to map would be memory, too, on Cloud Run

    def delete(self, prefix: str) -> None:
        with google_errors_as_ours(self.bucket):
            for blob in self.bucket.list_blobs(prefix=prefix, **_times(self.seconds)):
                with suppress(ObjectNotFound, PreconditionFailed):  # removed or replaced meanwhile
                    blob.delete(if_generation_match=blob.generation, **_times(self.seconds))

    def names(self, prefix: str) -> list[str]:
        with google_errors_as_ours(self.bucket):
            return sorted(blob.name for blob in self.bucket.list_blobs(prefix=prefix, **_times(self.seconds)))


@dataclass(frozen=True, slots=True)
class GcsUploads:
    """Uploads on Cloud Storage. Needs roles/storage.objectViewer on the bucket, to delete roles/storage.objectUser, and to sign
    addresses roles/storage.objectCreator there and roles/iam.serviceAccountTokenCreator on the workload's own account.

    signer: credential that signs, if not the bucket's own."""

    bucket: Bucket
    signer: Credentials | None = None
    seconds: float = 30.0  # of retries for one call

    def find(self, name: str) -> StoredFile:
        parts_of(name)
        with google_errors_as_ours(self.bucket):
            blob = self.bucket.get_blob(name, **_times(self.seconds))
        if blob is None:
            raise NotFound("no_such_file", name=name)
        return _file(blob)

    def read(self, file: StoredFile, max_bytes: int) -> bytes:
        blob = self.bucket.blob(file.name, generation=int(file.generation))
        with google_errors_as_ours(self.bucket):
            try:
                blob.reload(**_times(self.seconds))
                if blob.size > max_bytes:
                    raise TooLarge("file_too_large", name=file.name, max_bytes=max_bytes)
                data: bytes = blob.download_as_bytes(**_times(self.seconds))
            except ObjectNotFound as error:
                raise NotFound("file_gone_meanwhile", name=file.name) from error
        return data

    def files(self, prefix: str) -> list[StoredFile]:
        with google_errors_as_ours(self.bucket):
            return sorted(map(_file, self.bucket.list_blobs(prefix=prefix, **_times(self.seconds))), key=lambda file: file.name)

    def write(self, name: str, data: bytes) -> StoredFile:
        parts_of(name)
        with google_errors_as_ours(self.bucket):
            self.bucket.blob(name).upload_from_string(data, content_type=media_type_of(name), **_times(self.seconds))
        return self.find(name)

    def delete(self, name: str) -> None:
        with google_errors_as_ours(self.bucket), suppress(ObjectNotFound):
            self.bucket.blob(name).delete(**_times(self.seconds))

    def upload_url(self, name: str, seconds: int, max_bytes: int) -> tuple[str, Mapping[str, str]]:
        parts_of(name)
        size = {SIZE: f"0,{max_bytes}"}
        headers = {"Content-Type": media_type_of(name), **size}
        blob, credentials = self.bucket.blob(name), self.signer or self.bucket.client._credentials
        if isinstance(credentials, AnonymousCredentials):  # an emulator, which needs no signature
            return str(blob.public_url), headers
        with google_errors_as_ours(self.bucket):
            signing = _signing(credentials)
            lasts, type_ = timedelta(seconds=seconds), headers["Content-Type"]
            url = blob.generate_signed_url(lasts, version="v4", method="PUT", content_type=type_, headers=size, **signing)
            return str(url), headers


def _times(seconds: float) -> dict[str, Any]:
    """Timeout of one response, and of all retries."""
    return {"timeout": seconds, "retry": DEFAULT_RETRY.with_timeout(seconds)}


def _file(blob: Blob) -> StoredFile:
    return StoredFile(blob.name, str(blob.generation))


def _signing(credentials: Credentials) -> dict[str, object]:
    """Arguments for signing: the credential's key, or IAM's signBlob without a key (Cloud Run, functions)."""
    if isinstance(credentials, Signing):
        return {"credentials": credentials}
    if not hasattr(credentials, "service_account_email"):
        raise BucketUnavailable("bucket_cannot_sign")
    wide = credentials.with_scopes(_TO_SIGN)  # type: ignore[attr-defined]  # the client's own are for storage only
    wide.refresh(Request())
    return {"service_account_email": wide.service_account_email, "access_token": wide.token}


@contextmanager
def google_errors_as_ours(bucket: Bucket) -> Iterator[None]:
    """Turn temporary errors of google-cloud-storage 3 into BucketUnavailable. Other errors are bugs of ours and pass."""
    try:
        yield
    except (Forbidden, Unauthorized) as error:
        raise BucketUnavailable("bucket_refused", bucket=bucket.name) from error
    except ObjectNotFound as error:
        raise BucketUnavailable("bucket_missing", bucket=bucket.name) from error
    except (ServerError, TooManyRequests, RetryError, RequestException, GoogleAuthError, DataCorruption) as error:
        raise BucketUnavailable("bucket_away", bucket=bucket.name) from error
