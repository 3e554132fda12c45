"""From texts and edits to statistics: base classes and helpers of the metric families."""
