"""Breaking the controller on purpose: what is injected, what must hold, and who watches."""
