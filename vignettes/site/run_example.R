# Runs an R example: what it draws becomes plot-1.png, plot-2.png, ...; values print as in a session.
options(width = 88, device = function(...) {
  grDevices::png("plot-%d.png", width = 1400, height = 1000, res = 200)
})
source(commandArgs(trailingOnly = TRUE)[1], print.eval = TRUE)
