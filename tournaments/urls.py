"""Urls of tournaments. Stages and rounds count from 1 in urls."""

from django.urls import path

from tournaments.views import desk, entries, feeds, files, pages, show

app_name = "tournaments"
HOME = "<board:place>/tournaments/"
ONE = f"{HOME}<slug:tournament>/"

urlpatterns = [
    path("<board:place>/feed.atom", feeds.contest_feed, name="contest_feed"),
    path(HOME, pages.tournaments, name="tournaments"),
    path(f"{HOME}new/", desk.tournament_new, name="new"),
    path(f"{HOME}plan/", desk.plan, name="plan"),
    path(ONE, pages.tournament, name="tournament"),
    path(f"{ONE}now/", pages.now, name="now"),
    path(f"{ONE}rounds/<int:stage>/<int:number>/", pages.round_page, name="round"),
    path(f"{ONE}standings/", pages.standings, name="standings"),
    path(f"{ONE}cross/", pages.cross, name="cross"),
    path(f"{ONE}bracket/", pages.bracket, name="bracket"),
    path(f"{ONE}show/", show.show, name="show"),
    path(f"{ONE}show/steps/<int:number>/", show.step, name="show_step"),
    path(f"{ONE}show/matches/<int:pk>/", show.stage, name="show_match"),
    path(f"{ONE}show/release/", show.release, name="show_release"),
    path(f"{ONE}bots/<int:pk>/", pages.way, name="way"),
    path(f"{ONE}results.<str:kind>", files.results, name="results"),
    path(f"{ONE}stage-<int:stage>.trf", files.trf, name="trf"),
    path(f"{ONE}enter/", entries.act, {"act": "enter"}, name="enter"),
    path(f"{ONE}entries/remove/", entries.act, {"act": "remove"}, name="entry_remove"),
    path(f"{ONE}withdraw/", entries.act, {"act": "withdraw"}, name="withdraw"),
    path(f"{ONE}desk/", desk.desk, name="desk"),
    path(f"{ONE}desk/settings/", desk.desk_settings, name="desk_settings"),
    path(f"{ONE}desk/delete/", desk.delete, name="desk_delete"),
    path(f"{ONE}desk/enter/", desk.enter, name="desk_enter"),
    path(f"{ONE}desk/<slug:act>/", desk.act, name="desk_act"),
]
