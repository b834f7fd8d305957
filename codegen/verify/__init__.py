"""Verification of compiled C against the independent reference."""
