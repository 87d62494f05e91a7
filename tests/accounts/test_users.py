"""What is read of users."""

from __future__ import annotations

import pytest
from allauth.account.models import EmailAddress

from accounts.models import User
from accounts.selectors.users import verified_domains
from tests.ladder.makers import make_user

pytestmark = pytest.mark.django_db


def test_domains_are_those_of_verified_addresses_alone(alice: User) -> None:
    """The attack: somebody types an address of another company, whose mails he cannot read."""
    EmailAddress.objects.create(user=alice, email="alice@School.Example", primary=True, verified=True)
    EmailAddress.objects.create(user=alice, email="alice@second.example", verified=True)
    EmailAddress.objects.create(user=alice, email="alice@company.example")
    EmailAddress.objects.create(user=make_user("bob"), email="bob@other.example", verified=True)
    assert verified_domains(user=alice) == {"school.example", "second.example"}
