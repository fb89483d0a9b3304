"""The language server: diagnostics, hover and code actions for editors."""
