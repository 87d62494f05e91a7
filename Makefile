# The logic lies in deploy/; PORT= and DATA= are handed on by make.
.PHONY: run test catalogues
export PORT DATA

run:
	@deploy/run.sh

test:
	@deploy/test.sh

catalogues:
	@DJANGO_SETTINGS_MODULE=ladder.settings.test .venv/bin/python manage.py catalogues
