"""Urls of exhibitions: the pages under ``/play/``."""

from django.urls import URLPattern

app_name = "exhibitions"
urlpatterns: list[URLPattern] = []
