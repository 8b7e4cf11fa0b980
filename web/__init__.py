"""The dashboard (not built yet)."""
