"""Addresses of the fleet: metrics, the administrators' pages, joining."""

from django.urls import path

from fleet import views

app_name = "fleet"

urlpatterns = [
    path("metrics", views.metrics, name="metrics"),
]
