"""The Django app of bots, their versions, uploads, builds, ratings and leaderboards."""
