"""What every write stands on: plans of bulk imports, the audit log, snapshots."""
