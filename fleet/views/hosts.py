"""The administrators' page of hosts: list, invite, revoke. Others get 404."""

from __future__ import annotations

from http import HTTPStatus

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from accounts.access import signed_in
from common.errors import InputError
from common.forms import posted
from fleet.access import staff_only
from fleet.broker import BrokerRefused
from fleet.models import Host
from fleet.selectors.hosts import hosts_all
from fleet.services.hosts import host_invite, host_revoke, join_command


@require_http_methods(["GET", "HEAD", "POST"])
@staff_only
def hosts(request: HttpRequest) -> HttpResponse:
    """List the hosts; on POST invite one and show the command with its token, which happens only this once."""
    context: dict[str, object] = {}
    if request.method == "POST":
        name = posted(request, "name")
        try:
            token = host_invite(name=name, actor=signed_in(request), is_guest="is_guest" in request.POST)
            context = {"command": join_command(token=token)}
        except InputError as reason:
            context = {"name": name, "is_guest": "is_guest" in request.POST, "error": reason}
    status = HTTPStatus.UNPROCESSABLE_ENTITY if "error" in context else HTTPStatus.OK
    return render(request, "fleet/hosts.html", {**context, "hosts": hosts_all()}, status=status)


@require_POST
@staff_only
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """Revoke a host; the page of hosts, which comes next, says why it could not be revoked."""
    name = get_object_or_404(Host, pk=pk).name
    try:
        host_revoke(name=name, actor=signed_in(request), reason=posted(request, "reason"))
    except (InputError, BrokerRefused) as reason:
        messages.error(request, str(reason))
    return redirect("fleet:hosts")
