"""API views of private tests, which ask whether one version is better than another."""

from __future__ import annotations

from rest_framework.request import Request

from api.base import NOT_FOUND, PagedApi, Resource, SignedInApi, created, described, found_or_404
from api.serializers.matches import TrialSerializer, TrialStartSerializer, WholeTrialSerializer
from ladder.selectors.versions import version_of
from matches.models import Trial
from matches.selectors.trials import trial_of, trials_of
from matches.services.trials import trial_start, trial_stop


class TrialApi(Resource, SignedInApi, PagedApi):
    """Views of the caller's private tests."""

    @described(TrialSerializer(many=True))
    def all(self, request: Request) -> object:
        """List your private tests, newest first."""
        return trials_of(owner=self.user)

    @created(
        TrialSerializer,
        body=TrialStartSerializer,
        problems=[NOT_FOUND],
        limit="trial",
        url=("api:trial", "id"),
    )
    def begin(self, request: Request) -> object:
        """Begin a test of whether one version of yours is better than another."""
        sent = self.sent()
        candidate, reference = (
            found_or_404(version_of(pk=sent[role], owner=self.reader)) for role in ("candidate", "reference")
        )
        return trial_start(owner=self.user, candidate=candidate, reference=reference)

    @described(WholeTrialSerializer)
    def show(self, request: Request, pk: int) -> object:
        """Show the progress or the result of a private test of yours."""
        return self._trial(pk)

    @described(WholeTrialSerializer)
    def stop(self, request: Request, pk: int) -> object:
        """Stop a private test of yours; without effect on one that has ended."""
        trial_stop(trial=self._trial(pk))
        return self._trial(pk)

    def _trial(self, pk: int) -> Trial:
        return found_or_404(trial_of(pk=pk, owner=self.user))
