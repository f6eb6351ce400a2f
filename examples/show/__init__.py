"""The parts of `examples.demo`: what is asked, where, by whom, and how it is printed."""
