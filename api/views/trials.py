"""API views of private tests, which ask whether one version is better than another."""

from __future__ import annotations

from http import HTTPStatus

from rest_framework.request import Request
from rest_framework.response import Response

from api.base import PagedApi, Resource, SignedInApi, checked, created, described, found_or_404, made
from api.serializers.matches import TrialSerializer, TrialStartSerializer, WholeTrialSerializer
from ladder.selectors.versions import version_of
from matches.models import Trial
from matches.selectors.trials import trial_of, trials_of
from matches.services.trials import trial_start, trial_stop


class TrialsApi(SignedInApi, PagedApi):
    """GET: the caller's private tests; POST: begin one."""

    site_limit = "trial"

    @described(TrialSerializer(many=True))
    def get(self, request: Request) -> Response:
        """List your private tests, newest first."""
        return self.page(trials_of(owner=self.user), TrialSerializer)

    @created(TrialSerializer, body=TrialStartSerializer, problems=[HTTPStatus.NOT_FOUND])
    def post(self, request: Request) -> Response:
        """Begin a test of whether one version of yours is better than another."""
        sent = checked(TrialStartSerializer, request.data)
        candidate, reference = (
            found_or_404(version_of(pk=sent[role], owner=self.reader)) for role in ("candidate", "reference")
        )
        trial = trial_start(owner=self.user, candidate=candidate, reference=reference)
        return made(TrialSerializer(trial), "api:trial", trial.pk)


class TrialApi(Resource, SignedInApi):
    """Views of one private test of the caller."""

    def trial(self, pk: int) -> Trial:
        """Return the caller's private test with this id.

        Raises:
            NotFound: the caller has none.
        """
        return found_or_404(trial_of(pk=pk, owner=self.user))

    @described(WholeTrialSerializer)
    def show(self, request: Request, pk: int) -> Response:
        """Show the progress or the result of a private test of yours."""
        return Response(WholeTrialSerializer(self.trial(pk)).data)

    @described(WholeTrialSerializer)
    def stop(self, request: Request, pk: int) -> Response:
        """Stop a private test of yours; without effect on one that has ended."""
        trial_stop(trial=self.trial(pk))
        return Response(WholeTrialSerializer(self.trial(pk)).data)
