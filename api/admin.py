"""No page of administrators makes tokens."""

from django.contrib import admin
from knox.models import AuthToken

# The attack: the library's page makes a token for any account, whose acts would stand in the audit log under its
# owner's name. Whoever is not to come in any more is not active, or gets another password.
admin.site.unregister(AuthToken)
