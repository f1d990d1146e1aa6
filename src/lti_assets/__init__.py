"""LTI Asset Processor and Platform Notification Service for tools in Python, on PyLTI1p3. See README.md."""

from lti_assets.claims import (
    SCOPES,
    AssetFile,
    ContextCopyNotice,
    EulaService,
    MessageType,
    NoticeService,
    NoticeType,
    ProcessorItem,
    ReportReview,
    SubmissionNotice,
    accepts_processors,
    eula_service,
    notice_service,
    report_review,
)
from lti_assets.errors import AssetError, AssetTooLarge, NoticeInvalid, PlatformAway, ServiceRefused
from lti_assets.notices import Notice, jwts_in, named_in, read_notice, verified
from lti_assets.registration import PlatformOffer, Registered, Registrar, ToolDescription
from lti_assets.services import AssetServices, ErrorCode, Progress, Report

__all__ = [
    "SCOPES",
    "AssetError",
    "AssetFile",
    "AssetServices",
    "AssetTooLarge",
    "ContextCopyNotice",
    "ErrorCode",
    "EulaService",
    "MessageType",
    "Notice",
    "NoticeInvalid",
    "NoticeService",
    "NoticeType",
    "PlatformAway",
    "PlatformOffer",
    "ProcessorItem",
    "Progress",
    "Registered",
    "Registrar",
    "Report",
    "ReportReview",
    "ServiceRefused",
    "SubmissionNotice",
    "ToolDescription",
    "accepts_processors",
    "eula_service",
    "jwts_in",
    "named_in",
    "notice_service",
    "read_notice",
    "report_review",
    "verified",
]
