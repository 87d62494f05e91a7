"""Files that come and go: uploads checked, stored by their content, handed to workers."""
