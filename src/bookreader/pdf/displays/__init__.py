"""What stands apart from the text of a page, as its drawn lines show it: tables and the lettering of pictures."""
