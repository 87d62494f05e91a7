"""Code that all apps of the site share: errors, times, names, sentences, queries."""
