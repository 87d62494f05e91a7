# The arena's own programs, in two images: "site" (web, manage, beat, commands) and "worker" (plays and builds).
#   docker build -f deploy/images/arena.Dockerfile --target site .
# The release of Debian of this image and, by build.sh, of the one that bots run in; DEBIAN=bookworm takes Debian 12.
ARG DEBIAN=trixie
FROM python:3.13-slim-${DEBIAN} AS site
WORKDIR /srv/banzuke
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
COPY requirements.txt .
RUN pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.txt
COPY . .
# Games of your own; see docs/run/games.md.
RUN if [ -d wheels ]; then pip install --no-cache-dir --disable-pip-version-check --no-deps wheels/*.whl; fi
# Settings have no defaults in production, so this command gets stand-ins, to which nothing connects. Files keep their
# permissions from the folder that the image is built from: after a strict umask only root could read them.
RUN SECRET_KEY=only-to-collect ALLOWED_HOSTS=x DATABASE_URL=postgresql://x@x/x REDIS_URL=redis://x \
    DJANGO_SETTINGS_MODULE=arena.settings.production python manage.py collectstatic --no-input \
    && useradd --uid 10001 --no-create-home banzuke \
    && chmod -R a+rX . \
    && chown -R banzuke static-root \
    && install -d -o banzuke -m 0700 /srv/data
USER banzuke

FROM site AS worker
USER root
# The languages of bots, as in the runtime image of the Docker backend; bubblewrap and libseccomp isolate bots.
RUN mkdir -p /usr/share/man/man1 \
    && apt-get update \
    && xargs --arg-file=deploy/images/packages.txt apt-get install --yes --no-install-recommends bubblewrap libseccomp2 \
    && rm -rf /var/lib/apt/lists/*
