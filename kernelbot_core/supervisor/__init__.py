"""Parent of every sandboxed process: limits, output, and the sure end of a whole tree. Sandboxes start by it.

``client`` is the runner's half. The rest runs in processes of its own and imports nothing but the standard library.
"""
