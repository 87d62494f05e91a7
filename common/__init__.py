"""What all apps of the site share: errors, times, words, queries."""
