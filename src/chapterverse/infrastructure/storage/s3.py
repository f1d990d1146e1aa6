"""Uploads on S3 or a compatible service (some schools' LMS exports)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError, NoCredentialsError, ParamValidationError

from chapterverse.core.errors import BucketUnavailable, NotFound, TooLarge
from chapterverse.core.names import media_type_of
from chapterverse.core.tasks import StoredFile
from chapterverse.infrastructure.storage.folder import parts_of
from chapterverse.messages import Message, message

_CONFIG = Config(signature_version="s3v4", retries={"mode": "standard"}, connect_timeout=5, read_timeout=60)
_GONE = {404, 412}  # 412: the content was replaced


def open_client(**of: Any) -> Any:
    """A client with the workload's own identity and signatures of version 4. of: arguments of boto3.client."""
    return boto3.client("s3", config=_CONFIG, **of)


@dataclass(frozen=True, slots=True)
class S3Uploads:
    """Uploads on S3: a generation is an ETag, so only the newest content of a name can be read, also in versioned buckets.

    Needs s3:GetObject, s3:ListBucket and s3:DeleteObject, for addresses s3:PutObject."""

    client: Any  # boto3 creates the class at run time
    bucket: str

    def find(self, name: str) -> StoredFile:
        parts_of(name)
        with s3_errors_as_ours(self.bucket, message("no_such_file", name=name)):
            return _file(name, self.client.head_object(Bucket=self.bucket, Key=name))

    def read(self, file: StoredFile, max_bytes: int) -> bytes:
        with s3_errors_as_ours(self.bucket, message("file_gone_meanwhile", name=file.name)):
            found = self.client.get_object(Bucket=self.bucket, Key=file.name, IfMatch=f'"{file.generation}"')
            with found["Body"] as body:
                if found["ContentLength"] > max_bytes:
                    raise TooLarge("file_too_large", name=file.name, max_bytes=max_bytes)
                data: bytes = body.read()
        return data

    def files(self, prefix: str) -> list[StoredFile]:
        with s3_errors_as_ours(self.bucket, message("bucket_unknown", bucket=self.bucket)):
            pages = self.client.get_paginator("list_objects_v2").paginate(Bucket=self.bucket, Prefix=prefix)
            files = [_file(item["Key"], item) for page in pages for item in page.get("Contents", [])]
        return sorted(files, key=lambda file: file.name)

    def write(self, name: str, data: bytes) -> StoredFile:
        parts_of(name)
        with s3_errors_as_ours(self.bucket, message("bucket_unknown", bucket=self.bucket)):
            self.client.put_object(Bucket=self.bucket, Key=name, Body=data, ContentType=media_type_of(name))
        return self.find(name)

    def delete(self, name: str) -> None:
        with s3_errors_as_ours(self.bucket, message("no_such_file", name=name)):
            self.client.delete_object(Bucket=self.bucket, Key=name)

    def upload_url(self, name: str, seconds: int, max_bytes: int) -> tuple[str, Mapping[str, str]]:  # noqa: ARG002
        parts_of(name)
        parameters = {"Bucket": self.bucket, "Key": name, "ContentType": media_type_of(name)}
        with s3_errors_as_ours(self.bucket, message("nothing_here")):
            url = self.client.generate_presigned_url("put_object", Params=parameters, ExpiresIn=seconds)
            return str(url), {"Content-Type": media_type_of(name)}


def _file(name: str, of: Mapping[str, Any]) -> StoredFile:
    return StoredFile(name, of["ETag"].strip('"'))


@contextmanager
def s3_errors_as_ours(bucket: str, not_found: Message) -> Iterator[None]:
    """Turn errors of botocore 1 into NotFound and BucketUnavailable; bugs of ours pass."""
    try:
        yield
    except ParamValidationError:
        raise
    except ClientError as error:
        if error.response["ResponseMetadata"]["HTTPStatusCode"] in _GONE:
            raise NotFound(not_found) from error
        code = error.response["Error"]["Code"]
        raise BucketUnavailable("s3_refused", bucket=bucket, code=code) from error
    except NoCredentialsError as error:
        raise BucketUnavailable("s3_no_credentials", bucket=bucket) from error
    except BotoCoreError as error:
        raise BucketUnavailable("s3_away", bucket=bucket) from error
