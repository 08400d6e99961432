"""What runs beside hostile code: tiny, and nothing it says is believed."""
