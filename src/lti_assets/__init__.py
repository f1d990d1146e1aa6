"""LTI Asset Processor and Platform Notification Service for tools in Python, on PyLTI1p3. See README.md.

Here are the claims and the errors; notices, registration and services, which need PyLTI1p3, are modules of their own."""

from lti_assets.notices import (
    SCOPES,
    AssetError,
    AssetFile,
    AssetTooLarge,
    ContextCopyNotice,
    EulaService,
    MessageType,
    NoticeInvalid,
    NoticeService,
    NoticeType,
    PlatformAway,
    ProcessorItem,
    ReportReview,
    ServiceRefused,
    SubmissionNotice,
    accepts_processors,
    eula_service,
    notice_service,
    report_review,
)

__all__ = [
    "SCOPES",
    "AssetError",
    "AssetFile",
    "AssetTooLarge",
    "ContextCopyNotice",
    "EulaService",
    "MessageType",
    "NoticeInvalid",
    "NoticeService",
    "NoticeType",
    "PlatformAway",
    "ProcessorItem",
    "ReportReview",
    "ServiceRefused",
    "SubmissionNotice",
    "accepts_processors",
    "eula_service",
    "notice_service",
    "report_review",
]
