"""A learning platform after the specifications of 1EdTech, to test LTI tools against. See README.md."""

from tests.support.lti_platform.conformance import CASES, Case
from tests.support.lti_platform.model import (
    CLIENT,
    DEPLOYMENT,
    INSTRUCTOR,
    LEARNER,
    LTI,
    USERS,
    HandedIn,
    Key,
    LtiPlatform,
    User,
    new_key,
)
from tests.support.lti_platform.server import lti_platform, platform_app

__all__ = [
    "CASES",
    "CLIENT",
    "DEPLOYMENT",
    "INSTRUCTOR",
    "LEARNER",
    "LTI",
    "USERS",
    "Case",
    "HandedIn",
    "Key",
    "LtiPlatform",
    "User",
    "lti_platform",
    "new_key",
    "platform_app",
]
