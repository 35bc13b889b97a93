"""The basis of every write: plans of bulk imports, the audit log, snapshots."""
