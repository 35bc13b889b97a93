"""The audit log, read and checked."""
