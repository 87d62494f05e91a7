"""The filter that renders Markdown."""

from __future__ import annotations

from django import template

from common.markdown import markdown_html

register = template.Library()

register.filter("markdown", markdown_html)
