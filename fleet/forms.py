"""Forms of the administrators' pages."""

from __future__ import annotations

from django import forms

from common.forms import LocalMomentField


class DeadlineForm(forms.Form):
    """Until when a contest takes bots; empty for no deadline."""

    until = LocalMomentField(required=False)
