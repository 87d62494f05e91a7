"""Services: the only functions that change bots, versions, boards, games, announcements and notifications."""
