"""The web application: ``uvicorn ladder.asgi:application``."""

import os
import warnings

from django.core.asgi import get_asgi_application

from ladder.body_limit import BodyLimit

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ladder.settings.embedded")

# WhiteNoise hands static files out as ordinary iterators. They are small and browsers keep them for ever, so reading
# them at once is right; the warning would only stand in the log of every start.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")

_django = get_asgi_application()

from django.conf import settings  # noqa: E402 - settings can be read only now

FORM_BYTES = 64 * 1024
"""What the other fields of a form may add to its file."""

application = BodyLimit(
    _django,
    max_bytes=settings.UPLOAD_MAX_BYTES + FORM_BYTES,
    max_bytes_under={"/transfer/": settings.TRANSFER_MAX_BYTES},
)
