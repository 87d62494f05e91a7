"""The storage of static files, which names them by their content so that browsers may cache them for ever."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]  # it has no stubs

_MODULE_IMPORTS = (
    (r"""(?P<matched>from "(?P<url>\.[^"]+)")""", 'from "%(url)s"'),
    (r"""(?P<matched>import "(?P<url>\.[^"]+)")""", 'import "%(url)s"'),
    (r"""(?P<matched>import\("(?P<url>\.[^"]+)"\))""", 'import("%(url)s")'),
)


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # for the same reason
    """WhiteNoise's storage, which also replaces names in the imports between modules of the viewer and the workshop.

    Otherwise a browser would mix modules of two releases. Django's option for it
    (``support_js_module_import_aggregation``) is for all files or none, and django-htmx has files whose imports do not
    exist.
    """

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("matches/viewer/*.js", _MODULE_IMPORTS),
        ("games/*.js", _MODULE_IMPORTS),
        ("workshop/*.js", _MODULE_IMPORTS),
    )
