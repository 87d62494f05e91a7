"""Views: the pages of boards, bots, uploads, guides, profiles and notifications."""
