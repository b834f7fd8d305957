"""Compiled C against the independent reference."""
