#' @rdname hetsel_compare
#' @export
plot.hetsel_comparison <- function(x, measure = x$tests$measure[1], analysis = NULL, main = NULL,
                                   ...) {
  test <- test_to_draw(x, measure, analysis)
  ranks <- ranks_in(x, test)
  refuse_empty(anyNA(ranks$mean_rank), test$reason)
  draw_ranks(ranks, group_lines(ranks, of_test(x$groups, test)), test$critical_difference, ...)
  graphics::title(main = main %||% test_name(test), cex.main = 1.05)
  invisible(ranks)
}

test_to_draw <- function(x, measure, analysis) {
  tests <- x$tests[x$tests$measure == one_among(measure, "measure", x$tests$measure), ]
  analysis <- analysis %||% c(tests$analysis[!nzchar(tests$reason)], tests$analysis)[1]
  tests[tests$analysis == one_among(analysis, "analysis", tests$analysis), ]
}

# The ends of the line of each group, and a level for it on which no other touches it.
group_lines <- function(ranks, groups) {
  of <- stats::setNames(ranks$mean_rank, ranks$method)
  sets <- lapply(split(groups$method, groups$group), function(methods) of[methods])
  lines <- data.frame(
    low = vapply(sets, min, 0), high = vapply(sets, max, 0), level = integer(length(sets))
  )
  lines <- lines[order(lines$low, lines$high), ]
  last <- double()
  for (k in seq_len(nrow(lines))) {
    free <- which(last + 0.15 < lines$low[k])
    level <- if (length(free)) free[1] else length(last) + 1L
    last[level] <- lines$high[k]
    lines$level[k] <- level
  }
  lines
}

# The axis with the methods below it, the better half on the left.
draw_ranks <- function(ranks, lines, difference, ...) {
  k <- nrow(ranks)
  left <- seq_len(k) <= ceiling(k / 2)
  labels <- paste(cut_off(shown(ranks$method), 30), two_digits(ranks$mean_rank))
  room <- max(graphics::strwidth(labels, units = "inches", cex = 0.85)) + 0.3
  old <- graphics::par(mai = c(0.1, room, 0.6, room))
  on.exit(graphics::par(old))
  ends <- c(floor(ranks$mean_rank[1]), ceiling(ranks$mean_rank[k]))
  ends[2] <- max(ends[2], ends[1] + if (is.na(difference)) 1 else difference)
  foot <- 0.8 + 0.5 * max(0, lines$level) # below the lines of the groups
  places <- foot + ifelse(left, seq_len(k), rev(seq_len(k))) - 1
  empty_axes(xlim = ends, ylim = c(-max(places) - 0.5, 2.4))
  graphics::segments(ends[1], 0, ends[2], 0, col = "grey25")
  ticks <- seq(ends[1], floor(ends[2]))
  graphics::segments(ticks, 0, ticks, 0.15, col = "grey25")
  graphics::text(ticks, 0.55, ticks, cex = 0.85)
  if (!is.na(difference)) {
    graphics::segments(ends[1], 1.4, ends[1] + difference, 1.4, lwd = 2, col = "grey25")
    graphics::text(ends[1] + difference / 2, 1.9, paste("CD", two_digits(difference)), cex = 0.85)
  }
  graphics::segments(ranks$mean_rank, 0, ranks$mean_rank, -places, col = "grey45")
  edge <- ifelse(left, ends[1], ends[2])
  graphics::segments(ranks$mean_rank, -places, edge, -places, col = "grey45")
  for (side in c(2, 4)) {
    own <- left == (side == 2)
    graphics::mtext(labels[own], side = side, at = -places[own], las = 1, line = 0.3, cex = 0.85)
  }
  if (nrow(lines)) {
    at <- -0.5 * lines$level
    graphics::segments(lines$low - 0.03, at, lines$high + 0.03, at, lwd = 5, lend = 1, ...)
  }
}
