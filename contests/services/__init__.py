"""Changes contests and who takes part in them."""
