"""The template tag for the foot of every page."""

from __future__ import annotations

from django import template
from django.conf import settings

register = template.Library()


@register.inclusion_tag("arena/_foot.html")
def foot() -> dict[str, str]:
    """Render the links of the foot; administrators may have set two of them (SOURCE_URL, CONTACT)."""
    contact = settings.CONTACT
    is_mail = "@" in contact and "://" not in contact
    return {"source": settings.SOURCE_URL, "contact": f"mailto:{contact}" if is_mail else contact}
