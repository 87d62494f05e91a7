# All logic lies in deploy/; PORT= and DATA= are handed on by make.
.PHONY: run test
export PORT DATA

run:
	@deploy/run.sh

test:
	@deploy/test.sh
