"""Urls of the organisers' desk of a contest, of its people and its teams."""

from django.urls import path

from contests.services.contests import ACTS
from contests.views import desk, people, teams

app_name = "contests"

urlpatterns = [
    path("contests/new/", desk.contest_new, name="new"),
    path("<board:place>/desk/", desk.desk, name="desk"),
    path("<board:place>/desk/settings/", desk.desk_settings, name="desk_settings"),
    path("<board:place>/desk/delete/", desk.delete, name="desk_delete"),
    *[path(f"<board:place>/desk/{act}/", desk.act, {"act": act}, name=f"desk_{act}") for act in ACTS],
    path("<board:place>/join/", teams.join, name="join"),
    path("<board:place>/leave/", teams.leave, name="leave"),
    path("<board:place>/team/", teams.own_team, name="own_team"),
    path("<board:place>/team/<slug:act>/", teams.team_act, name="team_act"),
    path("<board:place>/teams/<int:pk>/", teams.team, name="team"),
    path("join/<str:token>/", teams.invitation, name="invitation"),
    path("<board:place>/people/", people.people, name="people"),
    path("<board:place>/people/list/", people.roster, name="roster"),
    path("<board:place>/people/<slug:act>/", people.people_act, name="people_act"),
]
