"""Removes the token page of the knox library from the Django admin."""

from django.contrib import admin
from knox.models import AuthToken

# The attack: an administrator makes a token for another account on the library's page; what is done with the token is
# logged under the name of the account's owner. To end somebody's tokens, change the password or deactivate the user.
admin.site.unregister(AuthToken)
