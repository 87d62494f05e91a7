"""Static files of an installation: named by their content, so that browsers may keep them for ever."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]  # it has no stubs

_MODULE_IMPORTS = (
    (r"""(?P<matched>from "(?P<url>\.[^"]+)")""", 'from "%(url)s"'),
    (r"""(?P<matched>import\("(?P<url>\.[^"]+)"\))""", 'import("%(url)s")'),
)


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # for the same reason
    """Names the modules of the viewer by their content where they import each other, too.

    Otherwise a browser would mix modules of two releases. Django's switch for it
    (``support_js_module_import_aggregation``) is for all files or none, and django-htmx brings files that import what
    is not there.
    """

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("matches/viewer/*.js", _MODULE_IMPORTS),
        ("games/*.js", _MODULE_IMPORTS),
    )
