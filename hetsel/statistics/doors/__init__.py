"""What people hold comes in: containers of scores, of numbers and of signatures."""
