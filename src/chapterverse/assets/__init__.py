"""Style sheets and scripts of the pages, as browsers get them: nothing is built."""
