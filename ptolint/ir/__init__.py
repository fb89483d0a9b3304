"""The kernel IR: what the front end understood of a kernel, without clang."""
