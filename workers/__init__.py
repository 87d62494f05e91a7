"""The playing side: takes jobs, plays and builds in the sandbox, reports. Holds no database credentials."""
