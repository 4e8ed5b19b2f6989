"""Measurements, run by hand: `python -m benchmarks.NAME`. Ratios in one run count; single times do not."""
