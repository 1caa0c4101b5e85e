#' Show a signature
#'
#' @description Prints or draws what \code{\link{hetsel_select}} returns. None of these needs
#' Python.
#' @param x,object a signature.
#' @param type what to draw, see details.
#' @param top number of features to draw, those of the signature first.
#' @param main,xlab,ylab title, and labels of the axes; \code{NULL} takes those that fit.
#' @param digits digits behind the point of the frequencies.
#' @param ... passed to \code{\link[graphics]{barplot}}, \code{\link[graphics]{segments}} or
#'   \code{\link[graphics]{lines}}; ignored by the other methods.
#' @details \code{"frequency"}: a bar for each feature, the share of random halves of the rows that
#' select it, colored by kind; a star marks those of the signature, and the dashed line the share
#' from which on at most one false selection is expected. \code{"effects"}: a panel for each feature
#' of the signature, what it adds to the decision value, the number or the risk, which is their sum
#' and a constant; of more than two classes a color for each. \code{"sizes"}: the inner score of each size, the one chosen as an open
#' circle, and below in grey how often the cross-validation chose a size within; inner scores chose
#' the size, and new rows do worse.
#' @return \code{as.data.frame} returns the data frame \code{features}; \code{summary} a list that
#' prints settings, sentences, performance, sizes, alternatives, effects and columns; \code{plot}
#' the data frame that was drawn, invisibly.
#' @seealso \code{\link{predict.hetsel_signature}}
#' @examples
#' if (hetsel_available()) {
#'   women <- infert[c("age", "parity", "education", "spontaneous", "case")]
#'   found <- hetsel_select(case ~ ., women, method = "rfe-svm", folds = 3, repeats = 1,
#'                          permutations = 0, pairs = 5)
#'   plot(found)
#'   plot(found, "effects")
#'   plot(found, "sizes")
#' }
#' @export
plot.hetsel_signature <- function(x, type = c("frequency", "effects", "sizes"), top = 20,
                                  main = NULL, xlab = NULL, ylab = NULL, ...) {
  switch(one_word(type, "type", c("frequency", "effects", "sizes")),
    frequency = draw_frequency(x, drawn(top), main, xlab, ...),
    effects = draw_effects(x, drawn(top), main, ylab, ...),
    sizes = draw_sizes(x, main, xlab, ylab, ...)
  )
}

# A bar for each feature, those of the signature first, marked by a star.
draw_frequency <- function(x, top, main, xlab, ...) {
  shares <- utils::head(x$frequency, max(top, nrow(x$features)))
  if (!nrow(shares)) {
    nothing_to_draw("features were selected in no halves of the rows (see pairs)")
  }
  chosen <- shares$feature %in% x$features$feature
  halves <- x$stability$halves
  draw_bars(
    shares$frequency, paste0(shown(cut_off(shares$feature, 28)), ifelse(chosen, " *", "")),
    x$columns$kind[match(shares$feature, x$columns$name)],
    main = main %||% paste("Signature (*) of size", x$size),
    xlab = xlab %||% "share of the halves that select it",
    marks = x$stable$threshold, ...
  )
  invisible(shares)
}

# A panel for each feature of the signature, all on one scale: a line where it is continuous or
# ordinal, a bar a level where it is nominal; of more than two classes a color for each.
draw_effects <- function(x, top, main, ylab, ...) {
  features <- utils::head(x$features$feature, top)
  pieces <- x$effects[x$effects$feature %in% features, ]
  classes <- unique(pieces$class)
  colors <- line_colors[(seq_along(classes) - 1) %% 8 + 1]
  if (is.null(ylab)) {
    ylab <- if (length(x$classes) == 2) paste("effect towards", shown(x$positive)) else "effect"
  }
  columns <- ceiling(sqrt(length(features)))
  old <- graphics::par(no.readonly = TRUE) # all of it: the size of a letter follows the panels
  on.exit(graphics::par(old))
  graphics::par(
    mfrow = c(ceiling(length(features) / columns), columns), mar = c(3.4, 3.6, 2, 0.6),
    oma = c(0, 0, if (length(classes) > 1 || !is.null(main)) 2.2 else 0.4, 0), las = 1,
    mgp = c(2.4, 0.6, 0), cex = 0.8
  )
  limits <- range(0, pieces$effect_low, pieces$effect_high)
  limits <- if (diff(limits) == 0) c(-1, 1) else limits + c(-0.04, 0.04) * diff(limits)
  for (feature in features) {
    own <- pieces[pieces$feature == feature, ]
    levels <- unique(own$level[nzchar(own$level)])
    lines <- own[!nzchar(own$level), ]
    frame <- effect_axes(x, feature, lines, levels, limits, ylab)
    for (k in seq_along(classes)) {
      one <- lines[lines$class == classes[k], ]
      graphics::segments(one$low, one$effect_low, one$high, one$effect_high,
        col = colors[k], lwd = 2, lty = k, ...
      )
      bars <- own[nzchar(own$level) & own$class == classes[k], ]
      if (nrow(bars)) {
        middle <- frame$at[match(bars$level, levels)]
        left <- middle + frame$width * ((k - 1) / length(classes) - 0.5)
        graphics::rect(
          left, 0, left + frame$width / length(classes), bars$effect_low,
          col = if (length(classes) > 1) colors[k] else kind_colors[["nominal"]], border = "grey25"
        )
      }
    }
    graphics::abline(h = 0, col = "grey25")
  }
  if (!is.null(main)) {
    graphics::mtext(main, outer = TRUE, line = 0.6, font = 2, adj = 0.02)
  }
  if (length(classes) > 1) {
    draw_classes(classes, colors)
  }
  invisible(pieces)
}

# The axes of a panel; where the levels stand on it, right of the values if there are some, and how
# wide they are.
effect_axes <- function(x, feature, lines, levels, limits, ylab) {
  span <- if (nrow(lines)) range(lines$low, lines$high) else c(0, 0)
  step <- if (nrow(lines)) max(diff(span) / 5, 1e-9 * abs(span[1]), 1e-300) else 1
  at <- span[2] + step * seq_along(levels)
  empty_axes(
    xlim = if (nrow(lines)) range(span, at + step / 2) else range(at) + c(-0.5, 0.5), ylim = limits
  )
  graphics::abline(h = graphics::axTicks(2), col = "grey90")
  grey_axis(2)
  if (nrow(lines)) {
    ticks <- if (is.null(x$levels[[feature]])) pretty(span, 4) else seq(span[1], span[2])
    ticks <- ticks[ticks >= span[1] & ticks <= span[2]]
    grey_axis(1, at = ticks, labels = cut_off(value_written(x, feature, ticks), 12))
  }
  if (length(levels)) {
    graphics::axis(
      1, at = at, labels = cut_off(shown(levels), 12), col = NA, col.ticks = "grey60",
      cex.axis = 0.85
    )
  }
  graphics::title(main = cut_off(shown(feature), 40), line = 0.7, cex.main = 1)
  graphics::title(ylab = ylab)
  list(at = at, width = 0.7 * step)
}

# The legend of all panels, above them.
draw_classes <- function(classes, colors) {
  graphics::par(fig = c(0, 1, 0, 1), oma = c(0, 0, 0, 0), mar = c(0, 0, 0.2, 0.6), new = TRUE)
  graphics::plot.new()
  graphics::legend(
    "topright",
    legend = cut_off(shown(classes), 20), col = colors, lty = seq_along(classes), lwd = 2,
    horiz = TRUE, bty = "n", cex = 0.85
  )
}

# The inner score by size, the size chosen as an open circle, and below the sizes chosen within.
draw_sizes <- function(x, main, xlab, ylab, ...) {
  shown <- x$sizes[is.finite(inner_scores(x)), ]
  scores <- shown[[2]]
  if (!nrow(shown)) {
    nothing_to_draw("the size was given, not chosen")
  }
  old <- graphics::par(mar = c(4, 4.2, 3.2, 1), las = 1)
  on.exit(graphics::par(old))
  limits <- range(scores)
  room <- if (diff(limits) == 0) 0.05 else diff(limits)
  limits <- limits + c(-0.25, 0.05) * room
  empty_axes(xlim = range(shown$size), ylim = limits, log = "x")
  ticks <- size_ticks(shown$size)
  graphics::abline(h = graphics::axTicks(2), v = ticks, col = "grey90")
  graphics::abline(v = x$size, lty = 2, col = "grey40")
  often <- tabulate(match(x$nested, shown$size), nrow(shown))
  foot <- graphics::par("usr")[3]
  graphics::segments(
    shown$size, foot, shown$size, foot + 0.17 * room * often / max(often, 1),
    lwd = 5, lend = 1, col = "grey55"
  )
  color <- line_colors[1]
  graphics::lines(
    shown$size, scores, type = "o", pch = 16, lwd = 1.6, cex = 0.8, col = color, ...
  )
  chosen <- shown$size == x$size
  graphics::points(shown$size[chosen], scores[chosen], pch = 21, bg = "white", col = color, cex = 1.6)
  grey_axis(1, at = ticks)
  grey_axis(2)
  graphics::title(xlab = xlab %||% "signature size", line = 2.4)
  graphics::title(ylab = ylab %||% inner_name(x), line = 3)
  graphics::title(main = main %||% paste("Size", x$size, "is chosen"), line = 1.4, cex.main = 1.05)
  invisible(shown)
}

# The inner scores of the sizes, and what they are.
inner_scores <- function(x) x$sizes[[2]]

inner_name <- function(x) {
  measure <- if (kind_of_target(x) == "classes") "BCR" else x$performance$measure[1]
  paste0("inner score", if (!is.na(measure)) paste0(" (", measure, ")"))
}

nothing_to_draw <- function(why) {
  refuse("there is nothing to draw: ", why)
}
