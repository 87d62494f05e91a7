"""Webhooks: signed messages to the programs of users when a build ends or a tournament begins."""
