# Far apart in lightness, so that they differ in grey too.
kind_colors <- c(continuous = "#20486B", ordinal = "#6FA287", nominal = "#F3C969")

plot.hetsel_ranking <- function(x, top = 20, main = x$title, xlab = "importance", ...) {
  shown <- utils::head(x$ranking, top)
  shown <- shown[rev(seq_len(nrow(shown))), ]
  labels <- ifelse(
    nchar(shown$feature) > 30, paste0(substr(shown$feature, 1, 29), "..."), shown$feature
  )
  width <- max(graphics::strwidth(labels, units = "inches", cex = 0.85)) + 0.25
  kinds <- names(kind_colors)[names(kind_colors) %in% shown$kind]
  old <- graphics::par(mai = c(0.75, width, 0.95, 0.3), las = 1)
  on.exit(graphics::par(old))
  importance <- shown$importance
  importance[!is.finite(importance)] <- 0
  limits <- range(0, importance)
  if (diff(limits) == 0) {
    limits <- c(0, 1)
  }
  middle <- graphics::barplot(importance, horiz = TRUE, plot = FALSE, space = 0.35)
  graphics::plot.new()
  graphics::plot.window(xlim = limits, ylim = range(middle) + c(-0.6, 0.6))
  graphics::grid(ny = NA, col = "grey88", lty = 1)
  graphics::barplot(
    importance,
    horiz = TRUE, space = 0.35, add = TRUE, axes = FALSE, col = kind_colors[shown$kind],
    border = "grey25", ...
  )
  graphics::abline(v = 0, col = "grey25")
  graphics::axis(1, col = "grey60", cex.axis = 0.85)
  graphics::mtext(labels, side = 2, at = middle, line = 0.4, cex = 0.85)
  graphics::title(xlab = xlab, line = 2.4)
  graphics::title(main = main, line = 2.4, cex.main = 1.05)
  graphics::legend(
    "bottom",
    legend = kinds, fill = kind_colors[kinds], horiz = TRUE, bty = "n", border = "grey25",
    inset = c(0, 1.0), xpd = NA, cex = 0.85
  )
  invisible(as.vector(middle))
}
