"""The runner: owns every process of a job and writes the report when the judge cannot."""
