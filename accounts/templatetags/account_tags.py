"""Template tags about accounts."""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from allauth.socialaccount.models import SocialAccount
from django import template

from accounts.models import User
from accounts.providers import Provider, ProviderAdapter

register = template.Library()


@register.simple_tag(takes_context=True)
def sign_up_is_open(context: template.Context) -> bool:
    """Return whether visitors may create accounts."""
    return bool(get_adapter().is_open_for_signup(context["request"]))


@register.simple_tag(takes_context=True)
def providers_of(context: template.Context, user: User, connected: bool = True) -> list[Provider]:
    """Return the offered providers that a user has connected, or if not ``connected`` the other ones (1 query)."""
    known = set(SocialAccount.objects.filter(user=user).values_list("provider", flat=True))
    return [
        item for item in ProviderAdapter().list_providers(context["request"]) if (item.sub_id in known) == connected
    ]
