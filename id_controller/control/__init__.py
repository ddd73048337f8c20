"""Control: laws, feedback, limits, faults and the controller that joins them."""
