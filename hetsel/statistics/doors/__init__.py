"""Read what users pass: containers of scores, of numbers and of signatures."""
