"""The playing worker: takes jobs, plays and builds in the sandbox, and reports. It has no database credentials."""
