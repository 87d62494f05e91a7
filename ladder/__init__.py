"""The Django project: accounts, bots, versions, ratings, the leaderboard."""
