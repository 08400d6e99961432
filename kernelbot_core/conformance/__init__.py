"""The suite every plugin must pass: ``pytest --kernelbot-conformance [--kernelbot-plugin=NAME]``."""
