#' Print or Plot a Signature
#'
#' @description Print, summarize or plot the result of \code{\link{hetsel_select}}. These methods do
#' not need Python.
#' @param x,object Result of \code{\link{hetsel_select}}.
#' @param type What to draw, see details.
#' @param top Number of features to draw, those of the signature first.
#' @param main,xlab,ylab Title, and labels of the axes; \code{NULL} uses the defaults.
#' @param class For \code{"calibration"} and \code{"decision"}, the class whose predicted
#'   probabilities are drawn; by default the positive class, or the first.
#' @param digits Digits after the decimal point of the frequencies.
#' @param ... Passed to \code{\link[graphics]{barplot}}, \code{\link[graphics]{segments}} or
#'   \code{\link[graphics]{lines}}; ignored by the other methods.
#' @details
#' \describe{
#' \item{\code{"frequency"}}{A bar for each feature: its selection frequency, the proportion of
#'   half-samples that select it. Bars are colored by kind, and a star marks the features of the
#'   signature. The dashed line is the frequency from which on at most one false selection is
#'   expected.}
#' \item{\code{"effects"}}{A panel for each feature of the signature: its contribution to the
#'   decision value, the predicted number or the risk score, which is the sum of the contributions
#'   and a constant. For more than two classes, each class has a color.}
#' \item{\code{"sizes"}}{The inner score by size, with an open circle at the chosen size. Grey bars
#'   below show how often the outer folds chose each size. The inner score chose the size, so
#'   performance on new rows is lower.}
#' \item{\code{"performance"}, \code{"calibration"}, \code{"decision"}}{As in
#'   \code{\link{plot.hetsel_validation}}, for held-out rows.}
#' }
#' @return \code{as.data.frame} returns the data frame \code{features}; \code{summary} a list that
#' prints settings, sentences, performance, sizes, alternative features, effects and columns;
#' \code{plot} the data frame that it drew, invisibly.
#' @seealso \code{\link{hetsel_select}}, \code{\link{predict.hetsel_signature}}
#' @examplesIf hetsel_available()
#' women <- infert[c("age", "parity", "education", "spontaneous", "case")]
#' signature <- hetsel_select(case ~ ., women, method = "rfe-svm", folds = 3, repeats = 1,
#'                            permutations = 0, pairs = 5)
#' plot(signature)
#' plot(signature, "effects")
#' plot(signature, "sizes")
#' plot(signature, "performance")
#' plot(signature, "calibration")
#' plot(signature, "decision")
#' @export
plot.hetsel_signature <- function(x, type = c(
                                    "frequency", "effects", "sizes", "performance", "calibration",
                                    "decision"
                                  ), top = 20, main = NULL, xlab = NULL, ylab = NULL, class = NULL,
                                  ...) {
  type <- one_word(type, "type", signature_figures)
  switch(type,
    frequency = {
      bars <- frequency_bars(x, drawn(top))
      draw_bars(
        bars$shares$frequency, bars$labels, bars$kind, main %||% bars$main, xlab %||% bars$xlab,
        marks = x$stable$threshold, ...
      )
      invisible(bars$shares)
    },
    effects = draw_effects(x, drawn(top), main, ylab, ...),
    sizes = draw_sizes(x, main, xlab, ylab, ...),
    draw_figure(judged_figure(x, type, class), main, xlab, ylab, ...)
  )
}

signature_figures <- c("frequency", "effects", "sizes", "performance", "calibration", "decision")

# The features as bars, those of the signature first, marked by a star.
frequency_bars <- function(x, top) {
  shares <- utils::head(x$frequency, max(top, nrow(x$features)))
  refuse_empty(
    !nrow(shares), "The signature has no half-samples. Repeat hetsel_select() with pairs = 50"
  )
  star <- ifelse(shares$feature %in% x$features$feature, " *", "")
  list(
    shares = shares, labels = paste0(shown(cut_off(shares$feature, 28)), star),
    kind = x$columns$kind[match(shares$feature, x$columns$name)],
    main = paste("Signature (*) of size", x$size), xlab = "selection frequency"
  )
}

# A panel for each feature: a line of a continuous or ordinal one, bars of a nominal one.
draw_effects <- function(x, top, main, ylab, ...) {
  effects <- effects_drawn(x, top, step = 0.2, width = 0.14, ticks = 4)
  classes <- effects$classes
  several <- length(classes) > 1
  columns <- ceiling(sqrt(length(effects$panels)))
  pieces <- x$effects[x$effects$feature %in% utils::head(x$features$feature, top), ]
  old <- graphics::par(no.readonly = TRUE) # all of it: the size of a letter follows the panels
  on.exit(graphics::par(old))
  graphics::par(
    mfrow = c(ceiling(length(effects$panels) / columns), columns), mar = c(3.4, 3.6, 2, 0.6),
    oma = c(0, 0, if (several || !is.null(main)) 2.2 else 0.4, 0), las = 1, mgp = c(2.4, 0.6, 0),
    cex = 0.8
  )
  limits <- range(0, pieces$effect_low, pieces$effect_high)
  limits <- not_flat(limits + c(-0.04, 0.04) * diff(limits), c(-1, 1))
  for (panel in effects$panels) {
    effect_axes(panel, limits, ylab %||% effects$ylab)
    lines <- panel$pieces[!nzchar(panel$pieces$level), ]
    k <- match(lines$class, classes)
    graphics::segments(lines$from, lines$effect_low, lines$to, lines$effect_high,
      col = effects$colors[k], lwd = 2, lty = k, ...
    )
    bars <- panel$pieces[nzchar(panel$pieces$level), ]
    if (nrow(bars)) {
      filled <- if (several) effects$colors else kind_colors[["nominal"]]
      graphics::rect(bars$from, 0, bars$to, bars$effect_low,
        border = "grey25", col = filled[match(bars$class, classes)]
      )
    }
    graphics::abline(h = 0, col = "grey25")
  }
  if (!is.null(main)) graphics::mtext(main, outer = TRUE, line = 0.6, font = 2, adj = 0.02)
  if (several) { # the legend of all panels, above them
    graphics::par(fig = c(0, 1, 0, 1), oma = c(0, 0, 0, 0), mar = c(0, 0, 0.2, 0.6), new = TRUE)
    graphics::plot.new()
    graphics::legend("topright",
      legend = cut_off(shown(classes), 20), col = effects$colors, lty = seq_along(classes), lwd = 2,
      horiz = TRUE, bty = "n", cex = 0.85
    )
  }
  invisible(pieces)
}

# Panels of features: values from 0 to 1, levels to the right of them, classes side by side.
effects_drawn <- function(x, top, step, width, ticks) {
  features <- utils::head(x$features$feature, top)
  classes <- unique(x$effects$class[x$effects$feature %in% features])
  panels <- lapply(features, function(feature) {
    pieces <- x$effects[x$effects$feature == feature, ]
    lines <- !nzchar(pieces$level)
    levels <- unique(pieces$level[!lines])
    span <- if (any(lines)) range(pieces$low[lines], pieces$high[lines]) else c(0, 0)
    place <- function(value) (value - span[1]) / if (diff(span) > 0) diff(span) else 1
    values <- if (is.null(x$levels[[feature]])) pretty(span, ticks) else seq(span[1], span[2])
    values <- values[any(lines) & values >= span[1] & values <= span[2]]
    at <- place(span[2]) + step * seq_along(levels)
    left <- at[match(pieces$level, levels)] +
      width * ((match(pieces$class, classes) - 1) / length(classes) - 0.5)
    pieces$from <- ifelse(lines, place(pieces$low), left)
    pieces$to <- ifelse(lines, place(pieces$high), left + width / length(classes))
    list(
      feature = shown(feature), pieces = pieces, lines = any(lines), ticks = place(values),
      labels = cut_off(value_written(x, feature, values), 12), at = at,
      levels = cut_off(shown(levels), 12),
      ends = range(if (any(lines)) place(span) else at - step / 2, at + step / 2)
    )
  })
  list(
    panels = panels, classes = classes, colors = rep_len(line_colors, length(classes)),
    ylab = if (length(x$classes) == 2) paste("effect toward", shown(x$positive)) else "effect"
  )
}

effect_axes <- function(panel, limits, ylab) {
  empty_axes(xlim = panel$ends, ylim = limits)
  graphics::abline(h = graphics::axTicks(2), col = "grey90")
  grey_axis(2)
  if (panel$lines) grey_axis(1, at = panel$ticks, labels = panel$labels)
  if (length(panel$at)) {
    widths <- graphics::strwidth(paste0(panel$levels, "m"), cex = 0.85)
    wide <- length(widths) * max(widths) > diff(panel$ends)
    graphics::axis(1, panel$at, if (wide) FALSE else panel$levels,
      col = NA, col.ticks = "grey60", cex.axis = 0.85
    )
    if (wide) { # else the axis leaves out levels
      below <- limits[1] - 0.12 * diff(limits)
      graphics::text(panel$at, below, panel$levels, srt = 30, adj = c(1, 1), xpd = NA, cex = 0.75)
    }
  }
  graphics::title(main = cut_off(panel$feature, 40), line = 0.7, cex.main = 1)
  graphics::title(ylab = ylab)
}

draw_sizes <- function(x, main, xlab, ylab, ...) {
  curve <- size_curve(x)
  shown <- curve$sizes
  limits <- range(curve$score)
  room <- not_flat(c(0, diff(limits)), c(0, 0.05))[2]
  draw_over_sizes(
    shown$size, limits + c(-0.25, 0.05) * room, x$size, main %||% curve$main,
    xlab %||% "signature size", ylab %||% curve$ylab,
    draw = function() {
      often <- tabulate(match(x$nested, shown$size), nrow(shown))
      foot <- graphics::par("usr")[3]
      graphics::segments(
        shown$size, foot, shown$size, foot + 0.17 * room * often / max(often, 1),
        lwd = 5, lend = 1, col = "grey55"
      )
      draw_line(shown$size, curve$score, x$size, lwd = 1.6, ...)
    }
  )
  invisible(shown)
}

size_curve <- function(x) {
  sizes <- x$sizes[is.finite(x$sizes[[2]]), ]
  refuse_empty(!nrow(sizes), "The size was a number, so there are no inner scores by size")
  measure <- if (kind_of_target(x) == "classes") "AUC" else x$performance$measure[1]
  list(
    sizes = sizes, score = sizes[[2]], main = paste("Chosen size:", x$size),
    ylab = paste0("inner score", if (!is.na(measure)) paste0(" (", measure, ")"))
  )
}
