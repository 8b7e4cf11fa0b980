"""Match files and records: reading, writing, exporting."""
