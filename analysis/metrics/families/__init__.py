"""From texts and edits to statistics: what families of metrics are made of."""
