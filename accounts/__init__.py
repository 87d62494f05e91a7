"""Users: sign-up and sign-in, two-factor authentication, sessions, notifications, permissions, the audit log."""
