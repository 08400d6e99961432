"""The adversarial suite: what the cheats are, the naive harness that they beat, and what the judge says to them."""
