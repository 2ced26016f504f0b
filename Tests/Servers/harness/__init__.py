"""Runs a pipeline of the catalogue against a server that others wrote, with kills, and counts what goes over the wire."""
