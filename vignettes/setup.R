# Settings and functions of all documents. Each document sources this file in its first chunk.

knitr::opts_chunk$set(
  fig.width = 7, fig.height = 4, dpi = 96, fig.retina = 1,
  collapse = TRUE, comment = "#>"
)
options(
  width = 84, digits = 3,
  knitr.graphics.rel_path = FALSE # pictures are beside the page, not beside the source
)

# Margins of plots that a document draws itself: `own_plot = TRUE`, or the left margin in lines.
knitr::knit_hooks$set(own_plot = function(before, options, envir) {
  if (before) {
    left <- if (isTRUE(options$own_plot)) 4.2 else options$own_plot
    graphics::par(
      las = 1, mar = c(4, left, 2.2, 1), mgp = c(2.6, 0.6, 0), cex.axis = 0.85, cex.main = 1.05,
      bty = "n"
    )
  }
})
blue <- "#20486B"
orange <- "#D55E00"
green <- "#009E73"

# Copy a picture of a report to the figures of the document, and show it.
show_picture <- function(file) {
  copy <- knitr::fig_path(".png")
  dir.create(dirname(copy), showWarnings = FALSE, recursive = TRUE)
  stopifnot(file.copy(file, copy, overwrite = TRUE))
  knitr::include_graphics(normalizePath(copy))
}

# Read a file of results with one JSON object per line.
read_lines <- function(file) {
  suppressMessages(jsonlite::stream_in(base::file(file), flatten = TRUE, verbose = FALSE))
}

# Format a number with a fixed number of decimals.
number <- function(x, digits = 2) sub("-", "\u2212", formatC(x, digits = digits, format = "f"))
percent <- function(x) paste0(formatC(100 * x, digits = 0, format = "f"), "%")
listed <- function(x) knitr::combine_words(x, before = "*", after = "*")
code <- function(x) paste0("\x60", x, "\x60", collapse = ", ")
