"""Urls of a user's own account and notifications. Those of sign-in stand beside allauth's, with the project's urls."""

from django.urls import path

from accounts.views import closing, notifications, own_data

app_name = "accounts"
urlpatterns = [
    path("accounts/close/", closing.close, name="close"),
    path("accounts/data/", own_data.data, name="data"),
    path("accounts/data.zip", own_data.data_download, name="data_download"),
    path("accounts/profile/", own_data.profile_edit, name="profile_edit"),
    path("accounts/rename/", own_data.rename, name="rename"),
    path("notifications/", notifications.notifications, name="notifications"),
    path("notifications/read/", notifications.notifications_all_read, name="notifications_read"),
    path("notifications/mail/", notifications.notifications_by_mail, name="notifications_mail"),
    path("notifications/<int:pk>/", notifications.notification, name="notification"),
]
