# The logic lies in deploy/; PORT= and DATA= are handed on by make.
.PHONY: run test test-all test-bookworm test-trixie check audit catalogues
export PORT DATA

run:
	@deploy/run.sh

test:
	@deploy/test.sh

test-all:
	@deploy/test.sh --all

test-bookworm test-trixie:
	@deploy/other_debian.sh $(@:test-%=%)

check:
	@deploy/check.sh

audit:
	@deploy/audit.sh

catalogues:
	@DJANGO_SETTINGS_MODULE=arena.settings.test .venv/bin/python manage.py catalogues
