"""The views of the API, in one module for each subject."""
