"""The dashboard: pages and a JSON API over the table's `RefereeApi`."""
