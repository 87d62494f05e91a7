"""What pages need to know of accounts."""

from __future__ import annotations

from django import template
from django.conf import settings

register = template.Library()


@register.simple_tag
def sign_up_is_open() -> bool:
    """Say whether anybody may make an account."""
    return not settings.SIGN_UP_CLOSED
