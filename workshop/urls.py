"""Urls of the workshop."""

from django.urls import path

from workshop.views import tries, workshop

app_name = "workshop"
urlpatterns = [
    path("workshop/<board:place>/", workshop.workshop, name="workshop"),
    path("workshop/<board:place>/draft/", workshop.draft, name="draft"),
    path("workshop/<board:place>/tries/", tries.try_begin, name="try_begin"),
    path("workshop/<board:place>/submit/", workshop.submit, name="submit"),
    path("workshop/tries/<int:pk>/", tries.try_state, name="try"),
    path("workshop/tries/<int:pk>/live/", tries.try_live, name="try_live"),
    path("workshop/tries/<int:pk>/replay.json", tries.try_replay, name="try_replay"),
    path("workshop/tries/<int:pk>/turns.json", tries.try_turns, name="try_turns"),
]
