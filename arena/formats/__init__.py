"""How dates are written, by language, where it is not as Django writes them."""
