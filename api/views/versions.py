"""API views of versions: upload, progress, check match, and what owners may do with them."""

from __future__ import annotations

from django.http.response import HttpResponseBase
from rest_framework.exceptions import ValidationError
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request

from api.base import REFUSED, Api, Resource, SignedInApi, checked, created, described, found_or_404
from api.serializers.ladder import EnterSerializer, FirstGamesSerializer, OwnVersionSerializer, UploadSerializer
from api.serializers.matches import TurnSerializer
from common.arrivals import arrived_at
from contests.selectors.contests import contest_unknown
from contests.selectors.visibility import contest_key_is_seen
from ladder.models import BotVersion
from ladder.selectors.versions import version_of, version_to_resume
from ladder.services.uploads import upload_receive, version_enter, version_play_again, version_retry
from ladder.services.versions import version_resume, version_retire
from ladder.uploaded_files import upload_response
from matches.replay_files import replay_file
from matches.selectors.first_games import first_games, version_placing
from matches.selectors.matches import check_turns, version_check

VERSION_URL = ("api:version", "id")


class VersionApi(Resource, SignedInApi):
    """Views of one version of the caller."""

    @described(OwnVersionSerializer)
    def show(self, request: Request, pk: int) -> object:
        """Show the progress of a version of yours, and why it was rejected if it was."""
        return self._version(pk)

    @described(OwnVersionSerializer, problems=[REFUSED])
    def retire(self, request: Request, pk: int) -> object:
        """Withdraw a version of yours: it plays no new match, its matches stay. Refused while its game is frozen."""
        version_retire(version=self._version(pk))
        return self._version(pk)

    @described(OwnVersionSerializer, problems=[REFUSED])
    def retry(self, request: Request, pk: int) -> object:
        """Have a version of yours built again after a build failed through no fault of the bot."""
        version_retry(version=self._version(pk), actor=self.user)
        return self._version(pk)

    @described(OwnVersionSerializer, problems=[REFUSED])
    def resume(self, request: Request, pk: int) -> object:
        """Let a version of yours that is on probation play again, after you have looked at its `faults`."""
        version = found_or_404(version_to_resume(pk=pk, reader=self.reader))
        version_resume(version=version, actor=self.user)
        return found_or_404(version_to_resume(pk=pk, reader=self.reader))

    @created(OwnVersionSerializer, limit="upload", url=VERSION_URL)
    def again(self, request: Request, pk: int) -> object:
        """Let a version of yours that does not play any more play again, as the next version of its bot."""
        received_at = arrived_at(self.http_request)
        return version_play_again(version=self._version(pk), actor=self.user, received_at=received_at)

    @created(OwnVersionSerializer, body=EnterSerializer, limit="upload", url=VERSION_URL)
    def enter(self, request: Request, pk: int) -> object:
        """Copy an accepted version of yours to another contest of its game, where it plays at once without a build.

        A new name makes a new bot there, the name of a bot of yours there its next version. The limits, languages,
        deadline and quotas of that contest hold.
        """
        version = self._version(pk)  # first, so that the answer on a version of others is the same for every body
        sent = self.sent()
        received_at = arrived_at(self.http_request)
        return version_enter(version=version, actor=self.user, received_at=received_at, **sent)

    @described(bytes, content_type="application/zip", problems=[REFUSED], limit="download")
    def uploaded(self, request: Request, pk: int) -> HttpResponseBase:
        """Download the files that you uploaded for a version, as a zip."""
        return upload_response(version=self._version(pk))

    @described(bytes, content_type="application/zstd")
    def check_replay(self, request: Request, pk: int) -> HttpResponseBase:
        """Download the replay of the check match of a version of yours (JSON lines in zstd)."""
        version = found_or_404(version_check(pk=pk, reader=self.reader))
        return replay_file(
            self.http_request, digest=version.check_replay_digest, name=f"check-{pk}", audience="private"
        )

    @described(TurnSerializer(many=True))
    def check_turns(self, request: Request, pk: int) -> object:
        """Show what a version of yours was asked, answered and wrote to standard error in its check match.

        404 if there is no log, since neither bot wrote to standard error or was at fault: then the replay has
        everything.
        """
        version = found_or_404(version_check(pk=pk, reader=self.reader))
        return check_turns(version=version)

    def _version(self, pk: int) -> BotVersion:
        return found_or_404(version_of(pk=pk, owner=self.reader))


class UploadApi(SignedInApi):
    """POST: upload a bot."""

    parser_classes = [MultiPartParser]

    @created(OwnVersionSerializer, body={"multipart/form-data": UploadSerializer}, limit="upload", url=VERSION_URL)
    def post(self, request: Request) -> object:
        """Upload a bot.

        A new name makes a new bot, the name of a bot of yours a new version of it. Ask for the version until `is_final`
        is true.
        """
        sent = checked(UploadSerializer, request.data)
        # The attack: somebody sends the names of private contests, and the refusals tell which of them exist.
        if not contest_key_is_seen(sent["contest"], reader=self.reader):
            raise ValidationError({"contest": [contest_unknown()]})
        return upload_receive(owner=self.user, received_at=arrived_at(self.http_request), **sent)


class FirstGamesApi(Api):
    """GET: the progress of a new version's first matches."""

    @described(FirstGamesSerializer)
    def get(self, request: Request, pk: int) -> object:
        """Estimate when the first matches of a version will have been played; 404 when they have been."""
        version = found_or_404(version_placing(pk=pk, reader=self.reader))
        return found_or_404(first_games(version=version))
