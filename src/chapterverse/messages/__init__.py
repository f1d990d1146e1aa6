"""Messages for people, as the package bookreader makes them; the sentences of this program stand in en.po and de.po.

Texts of the pages are looked up by their English text instead: see texts."""

import bookreader.messages
from bookreader.messages import *  # noqa: F403  # all of it under our name

bookreader.messages.add_catalogues(__name__)
