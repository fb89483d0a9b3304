"""The numpy machine: runs the kernel IR, and replays findings (`run_kernel`, `replay`).

Nothing here is imported before it is needed; numpy dominates the start-up of a small check.
"""
