"""What pages need to know of accounts."""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from django import template

register = template.Library()


@register.simple_tag(takes_context=True)
def sign_up_is_open(context: template.Context) -> bool:
    """Say whether anybody may make an account."""
    return bool(get_adapter().is_open_for_signup(context["request"]))
