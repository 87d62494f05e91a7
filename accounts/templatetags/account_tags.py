"""Template tags about accounts."""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from django import template

register = template.Library()


@register.simple_tag(takes_context=True)
def sign_up_is_open(context: template.Context) -> bool:
    """Return whether visitors may create accounts."""
    return bool(get_adapter().is_open_for_signup(context["request"]))
