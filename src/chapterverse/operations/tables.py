"""The modules that declare the tables of the catalogue's database."""

from chapterverse.accounts import store as accounts
from chapterverse.assignments import store as assignments
from chapterverse.essays import store as essays
from chapterverse.essays.batch import store as batches
from chapterverse.infrastructure import quotas
from chapterverse.lectures import store as lectures
from chapterverse.library import store as library
from chapterverse.lti import store as lti
from chapterverse.questions import store as questions

TABLES = (accounts, assignments, batches, essays, lectures, library, lti, questions, quotas)
"""Their import declares every table: a new database gets them, and a school is removed from all of them."""
