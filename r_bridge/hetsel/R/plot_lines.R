# Performance, calibration, decision curves and learning curves. One description of a figure serves
# plot() and autoplot(): `lines` with their bands, `points` with their intervals, `rows` as bars at
# the bottom, a `diagonal`, a vertical `mark`, limits and labels.

#' Plot a Validation
#'
#' @description Plot the result of \code{\link{hetsel_validate}}. This method does not need Python.
#' @param x Result of \code{\link{hetsel_validate}}.
#' @param type What to draw. \code{"performance"}: the measures on the new rows with their 95\% CI,
#'   and below each the estimate of the internal validation. \code{"calibration"}: the observed
#'   proportion by predicted probability, with its 95\% band; both are equal on the diagonal, and
#'   grey bars show the numbers of rows. \code{"decision"}: the net benefit of the model, of treat
#'   all and of treat none by threshold.
#' @param class The class whose predicted probabilities are drawn; by default the positive class, or
#'   the first.
#' @param main,xlab,ylab Title, and labels of the axes; \code{NULL} uses the defaults.
#' @param ... Passed to \code{\link[graphics]{lines}} or \code{\link[graphics]{segments}}.
#' @return The data frame that was drawn, invisibly.
#' @seealso \code{\link{hetsel_validate}}, \code{\link{plot.hetsel_signature}}
#' @examplesIf hetsel_available()
#' training <- seq_len(nrow(heart)) %% 3 > 0
#' signature <- hetsel_select(`diameter narrowing` ~ ., heart[training, ], size = 3, folds = 3,
#'                            repeats = 1, permutations = 0, pairs = 0)
#' validation <- hetsel_validate(signature, heart[!training, ])
#' plot(validation)
#' plot(validation, "calibration")
#' plot(validation, "decision")
#' @export
plot.hetsel_validation <- function(x, type = c("performance", "calibration", "decision"),
                                   class = NULL, main = NULL, xlab = NULL, ylab = NULL, ...) {
  type <- one_word(type, "type", c("performance", "calibration", "decision"))
  draw_figure(judged_figure(x, type, class), main, xlab, ylab, ...)
}

#' Plot a Sample Size Plan
#'
#' @description Plot the result of \code{\link{hetsel_plan_rows}}. This method does not need Python.
#' @param x Result of \code{\link{hetsel_plan_rows}}.
#' @param type What to draw. \code{"curve"}: performance by number of rows, as points with two
#'   standard errors, and the fitted power law with its 95\% band; the dashed line is the planned
#'   number of rows. \code{"criteria"}: the number of rows that each criterion requires.
#'   \code{"found"}: the probability of finding the planted feature, with its 95\% CI. The default
#'   is the first of these that the plan has.
#' @param main,xlab,ylab Title, and labels of the axes; \code{NULL} uses the defaults.
#' @param ... Passed to \code{\link[graphics]{lines}} or \code{\link[graphics]{segments}}.
#' @return The data frame that was drawn, invisibly.
#' @seealso \code{\link{hetsel_plan_rows}}
#' @examplesIf hetsel_available()
#' plot(hetsel_plan_rows(candidates = 24, prevalence = 0.174, c_statistic = 0.89))
#' @export
plot.hetsel_row_plan <- function(x, type = c("curve", "criteria", "found"), main = NULL,
                                 xlab = NULL, ylab = NULL, ...) {
  draw_figure(plan_figure(x, type, missing(type)), main, xlab, ylab, ...)
}

autoplot.hetsel_validation <- function(object, type = c("performance", "calibration", "decision"),
                                       class = NULL, ...) {
  type <- one_word(type, "type", c("performance", "calibration", "decision"))
  gg_figure(judged_figure(object, type, class))
}

autoplot.hetsel_row_plan <- function(object, type = c("curve", "criteria", "found"), ...) {
  gg_figure(plan_figure(object, type, missing(type)))
}

# What a signature or its validation shows of held-out or new rows.
judged_figure <- function(x, type, class) {
  if (type == "performance") {
    return(performance_figure(x))
  }
  one <- x$probabilities
  refuse_empty(is.null(one), "The signature has no predicted probabilities")
  classes <- unique(one$calibration$class)
  class <- as.character(class %||% if (isTRUE(x$positive %in% classes)) x$positive else classes[1])
  one_among(class, "class", classes)
  table <- one[[if (type == "calibration") "curve" else "decision"]]
  table <- table[table$class == class, ]
  refuse_empty(!nrow(table), "Too few rows have a predicted probability of class ", shown(class))
  if (type == "calibration") calibration_figure(one, table, class) else decision_figure(table)
}

calibration_figure <- function(one, curve, class) {
  own <- one$calibration[one$calibration$class == class, ]
  with_interval <- function(name) {
    ends <- round(unlist(own[paste0(name, c("", "_low", "_high"))]), 2) + 0 # no negative zero
    sprintf("%s %.2f [%.2f, %.2f]", name, ends[[1]], ends[[2]], ends[[3]])
  }
  known <- Filter(function(name) !is.na(own[[name]]), c("slope", "intercept"))
  rows <- one$histogram[one$histogram$class == class, ]
  list(
    lines = data.frame(
      line = "model", x = curve$probability, y = curve$observed, low = curve$low, high = curve$high
    ),
    rows = data.frame(x = (rows$low + rows$high) / 2, rows = rows$own + rows$others),
    diagonal = TRUE, xlim = c(0, 1), ylim = c(0, 1),
    main = "Calibration", sub = paste(vapply(known, with_interval, ""), collapse = ", "),
    xlab = paste("predicted probability of", shown(class)), ylab = "observed proportion"
  )
}

decision_figure <- function(curve) {
  strategies <- list(model = curve$model, `treat all` = curve$all, `treat none` = 0 * curve$all)
  lines <- do.call(rbind, lapply(names(strategies), function(name) {
    model <- name == "model"
    data.frame(
      line = name, x = curve$threshold, y = strategies[[name]],
      low = if (model) curve$low else NA, high = if (model) curve$high else NA
    )
  }))
  top <- max(curve$model, curve$high, curve$all, na.rm = TRUE)
  list(
    lines = lines, xlim = c(0, 1), ylim = c(-0.1 * top, top), main = "Decision curve",
    xlab = "threshold probability", ylab = "net benefit"
  )
}

# Errors, for which smaller is better, and measures without an interval are in the tables only.
performance_figure <- function(x) {
  refuse_empty(is.null(x$performance), "Performance was not estimated")
  one <- x$probabilities$calibration # of two classes it is about the positive one
  positive <- x$positive %||% if (NROW(one) == 1) one$class else ""
  own <- rates_of(x$performance, positive, "new rows")
  before <- if (is.list(x$before)) rates_of(x$before$performance, positive, "internal validation")
  refuse_empty(!nrow(own), "No measure has a confidence interval")
  both <- rbind(own, before)
  list(
    points = both, measures = unique(own$label), main = "Performance with 95% CI",
    xlab = "performance", ylab = "", xlim = range(0, 1, both$low, both$high)
  )
}

rates_of <- function(table, positive, where) {
  errors <- c("RMSE", "MAE", "integrated Brier score")
  table <- table[is.finite(table$low) & !table$measure %in% errors, ]
  data.frame(
    label = measure_labels(table, positive), where = rep(where, nrow(table)),
    y = table$estimate, low = table$low, high = table$high
  )
}

# Sensitivity and specificity where one of two classes is the positive one.
measure_labels <- function(table, positive) {
  recall <- nzchar(table$class)
  several <- !positive %in% table$class[recall] || sum(recall) != 2
  names <- if (several) {
    paste("recall of", shown(table$class))
  } else {
    ifelse(table$class == positive, "sensitivity", "specificity")
  }
  cut_off(ifelse(recall, names, sub("^BCR$", "balanced accuracy", table$measure)), 30)
}

plan_figure <- function(x, type, free) {
  legal <- c("curve", "criteria", "found")
  type <- one_word(type, "type", legal)
  has <- c(curve = nrow(x$points) > 0, criteria = nrow(x$criteria) > 0, found = nrow(x$found) > 0)
  if (free) type <- legal[has][1]
  refuse_empty(!isTRUE(has[[type]]), "The plan has no ", if (type == "found") "effect" else type)
  switch(type,
    curve = learning_figure(x),
    criteria = list(
      bars = x$criteria[!is.na(x$criteria$rows), ], main = "Rows that each criterion requires",
      xlab = "rows", ylab = ""
    ),
    found = list(
      lines = data.frame(
        line = "found", x = x$found$rows, y = x$found$proportion,
        low = x$found$low, high = x$found$high
      ),
      xlim = range(x$found$rows), ylim = c(0, 1),
      main = "Probability of finding the planted feature", xlab = "rows",
      ylab = "proportion of repeats"
    )
  )
}

learning_figure <- function(x) {
  band <- x$band
  lines <- data.frame(
    line = rep("power law", nrow(band)), x = band$rows, y = band$estimate, low = band$low,
    high = band$high
  )
  reach <- ifelse(is.na(x$points$standard_error), 0, 2 * x$points$standard_error)
  points <- data.frame(
    x = x$points$rows, y = x$points$estimate,
    low = x$points$estimate - reach, high = x$points$estimate + reach
  )
  measure <- sub("^BCR$", "balanced accuracy", x$measure)
  list(
    lines = lines, points = points, mark = if (!is.na(x$rows)) x$rows,
    xlim = range(points$x, lines$x), ylim = range(points$low, points$high, lines$low, lines$high),
    main = "Learning curve", xlab = "rows", ylab = measure
  )
}

draw_figure <- function(figure, main, xlab, ylab, ...) {
  figure[c("main", "xlab", "ylab")] <- list(
    main %||% figure$main, xlab %||% figure$xlab, ylab %||% figure$ylab
  )
  if (!is.null(figure$bars)) {
    draw_bars(
      figure$bars$rows, wrapped(figure$bars$asks), rep(NA, nrow(figure$bars)), figure$main,
      figure$xlab, longest = 200, ...
    )
    return(invisible(figure$bars))
  }
  if (!is.null(figure$measures)) {
    return(draw_intervals(figure, ...))
  }
  draw_curves(figure, ...)
}

# Lines with their bands, and points with their intervals.
draw_curves <- function(figure, ...) {
  old <- graphics::par(mar = c(4, 4.2, 3, 1), las = 1)
  on.exit(graphics::par(old))
  empty_axes(xlim = figure$xlim, ylim = figure$ylim)
  graphics::grid(col = "grey90", lty = 1)
  if (isTRUE(figure$diagonal)) graphics::abline(0, 1, lty = 2, col = "grey40")
  graphics::abline(v = figure$mark, lty = 2, col = "grey40")
  draw_rows(figure$rows)
  names <- unique(figure$lines$line)
  for (k in seq_along(names)) {
    own <- figure$lines[figure$lines$line == names[k], ]
    banded <- own[is.finite(own$low), ]
    graphics::polygon(
      c(banded$x, rev(banded$x)), c(banded$low, rev(banded$high)), border = NA,
      col = grDevices::adjustcolor(line_colors[k], 0.2)
    )
    graphics::lines(own$x, own$y, col = line_colors[k], lty = k, lwd = 2, ...)
  }
  points <- figure$points
  if (!is.null(points)) {
    graphics::segments(points$x, points$low, points$x, points$high, col = "grey25", lwd = 1.4)
    graphics::points(points$x, points$y, pch = 16, col = "grey25")
  }
  grey_axis(1)
  grey_axis(2)
  graphics::title(xlab = figure$xlab, line = 2.4)
  graphics::title(ylab = figure$ylab, line = 3)
  graphics::title(main = figure$main, line = 1.3, cex.main = 1.05)
  if (!is.null(figure$sub)) graphics::mtext(figure$sub, line = 0.3, cex = 0.85)
  if (length(names) > 1) {
    graphics::legend("topright",
      legend = names, col = line_colors[seq_along(names)], lty = seq_along(names), lwd = 2,
      bty = "n", cex = 0.85
    )
  }
  invisible(if (nrow(figure$lines)) figure$lines else points)
}

# Sentences in lines of a label.
wrapped <- function(text) {
  vapply(text, function(one) paste(strwrap(one, 45), collapse = "\n"), "", USE.NAMES = FALSE)
}

# Bars at the bottom: numbers of rows by predicted probability.
draw_rows <- function(rows) {
  if (!is.null(rows)) {
    foot <- graphics::par("usr")[3]
    graphics::segments(rows$x, foot, rows$x, foot + 0.12 * rows$rows / max(rows$rows, 1),
      lwd = 5, lend = 1, col = "grey70"
    )
  }
}

# A line for each measure, the validation above the estimate of the training rows.
draw_intervals <- function(figure, ...) {
  table <- figure$points
  where <- unique(table$where)
  old <- room_for(figure$measures, 0.25)
  on.exit(graphics::par(old))
  down <- rev(figure$measures)
  y <- match(table$label, down) - 0.25 * (match(table$where, where) - 1)
  empty_axes(xlim = figure$xlim, ylim = c(0.5, length(down) + 0.5))
  graphics::grid(ny = NA, col = "grey88", lty = 1)
  look <- match(table$where, where)
  graphics::segments(table$low, y, table$high, y, col = line_colors[look], lwd = 2, ...)
  graphics::points(table$y, y, pch = line_marks[look], col = line_colors[look])
  grey_axis(1)
  graphics::mtext(figure$measures, side = 2, at = rev(seq_along(down)), line = 0.4, cex = 0.85)
  graphics::title(xlab = figure$xlab, line = 2.4)
  graphics::title(main = figure$main, line = 2.4, cex.main = 1.05)
  if (length(where) > 1) {
    above_axes(
      legend = where, col = line_colors[seq_along(where)], pch = line_marks[seq_along(where)],
      horiz = TRUE
    )
  }
  invisible(table)
}

gg_figure <- function(figure) {
  drawn <- if (!is.null(figure$bars)) {
    gg_criteria(figure$bars)
  } else if (!is.null(figure$measures)) {
    gg_intervals(figure)
  } else {
    gg_lines(figure)
  }
  drawn + ggplot2::labs(
    x = figure$xlab, y = figure$ylab, title = figure$main, subtitle = figure$sub
  )
}

# As draw_bars().
gg_criteria <- function(bars) {
  labels <- make.unique(wrapped(bars$asks))
  bars$asks <- factor(labels, rev(labels))
  ggplot2::ggplot(bars, ggplot2::aes(.data$rows, .data$asks)) +
    ggplot2::geom_col(width = 0.7, fill = line_colors[1]) +
    gg_look()
}

# As draw_intervals().
gg_intervals <- function(figure) {
  aes <- ggplot2::aes
  table <- figure$points
  table$label <- factor(table$label, rev(figure$measures))
  where <- unique(table$where)
  table$where <- factor(table$where, rev(where))
  ggplot2::ggplot(table, aes(.data$y, .data$label, colour = .data$where)) +
    ggplot2::geom_pointrange(aes(xmin = .data$low, xmax = .data$high),
      position = ggplot2::position_dodge(width = 0.5)
    ) +
    ggplot2::scale_colour_manual(
      values = stats::setNames(line_colors[seq_along(where)], where),
      guide = if (length(where) > 1) ggplot2::guide_legend(reverse = TRUE) else "none"
    ) +
    ggplot2::coord_cartesian(xlim = figure$xlim) +
    gg_look()
}

# As draw_curves().
gg_lines <- function(figure) {
  aes <- ggplot2::aes
  lines <- figure$lines
  lines$line <- factor(lines$line, unique(lines$line))
  several <- nlevels(lines$line) > 1
  drawn <- ggplot2::ggplot(lines, aes(.data$x, .data$y)) +
    (if (isTRUE(figure$diagonal)) ggplot2::geom_abline(linetype = 2, colour = "grey40")) +
    (if (!is.null(figure$mark)) {
      ggplot2::geom_vline(xintercept = figure$mark, linetype = 2, colour = "grey40")
    }) +
    (if (!is.null(figure$rows)) {
      spikes <- figure$rows
      spikes$top <- figure$ylim[1] + 0.12 * spikes$rows / max(spikes$rows, 1)
      ggplot2::geom_segment(aes(.data$x, figure$ylim[1], xend = .data$x, yend = .data$top), spikes,
        linewidth = 2, colour = "grey70"
      )
    }) +
    ggplot2::geom_ribbon(aes(ymin = .data$low, ymax = .data$high, fill = .data$line),
      lines[is.finite(lines$low), ], alpha = 0.2, show.legend = FALSE
    ) +
    ggplot2::geom_line(aes(colour = .data$line, linetype = .data$line), linewidth = 0.9) +
    ggplot2::scale_colour_manual(values = line_colors, aesthetics = c("colour", "fill"))
  if (!is.null(figure$points)) {
    drawn <- drawn +
      ggplot2::geom_pointrange(aes(ymin = .data$low, ymax = .data$high), figure$points,
        colour = "grey25"
      )
  }
  drawn <- drawn + ggplot2::coord_cartesian(xlim = figure$xlim, ylim = figure$ylim) + gg_look()
  if (several) drawn else drawn + ggplot2::theme(legend.position = "none")
}
