"""Urls of webhooks."""

from django.urls import path, re_path

from webhooks import views

app_name = "webhooks"
urlpatterns = [
    path("hooks/", views.hooks, name="hooks"),
    re_path(r"^hooks/(?P<pk>\d{1,18})/(?P<action>delete|test|resume)/$", views.hook_act, name="hook_act"),
]
