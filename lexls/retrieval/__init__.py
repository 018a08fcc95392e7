"""From a proposition to ranked passages: query, fusion, aggregation."""
