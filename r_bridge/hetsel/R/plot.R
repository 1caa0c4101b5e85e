# Distinct in lightness, so that they differ in grey.
kind_colors <- c(continuous = "#20486B", ordinal = "#6FA287", nominal = "#F3C969")

#' Print or Plot a Ranking
#'
#' @description Print, summarize or plot the result of \code{\link{hetsel_rank}}. These methods do
#' not need Python.
#' @param x,object Result of \code{\link{hetsel_rank}}.
#' @param top,n Number of features to show, best first.
#' @param main,xlab Title, and label of the axis.
#' @param digits Significant digits of the importance.
#' @param ... Passed to \code{\link[graphics]{barplot}}; ignored by \code{print}, \code{summary} and
#'   \code{as.data.frame}; passed to the method for data frames by \code{head}.
#' @details The bars are colored by kind, in colors that are distinct in grey. In an elimination,
#' the bars of features are comparable only if the features were dropped in the same step. The order
#' of the bars is the ranking.
#' @return \code{as.data.frame} and \code{head} return data frames with the columns \code{rank},
#' \code{feature}, \code{kind} and \code{importance}. \code{summary} returns a list that prints the
#' columns, missing values, columns to check and steps of the elimination. \code{plot} returns the
#' positions of the bars, best feature last, invisibly.
#' @seealso \code{\link{hetsel_rank}}
#' @examplesIf hetsel_available()
#' ranking <- hetsel_rank(case ~ ., infert[c("age", "parity", "education", "case")])
#' plot(ranking, main = "Infertility")
#' as.data.frame(ranking)
#' @importFrom graphics plot
#' @export
plot.hetsel_ranking <- function(x, top = 20, main = x$title, xlab = "importance", ...) {
  best <- utils::head(x$ranking, drawn(top))
  draw_bars(best$importance, shown(best$feature), best$kind, main, xlab, ...)
}

# Draw a bar for each feature, the first on top, and a dashed line at each of `marks`.
draw_bars <- function(values, labels, kind, main, xlab, marks = NULL, longest = 30, ...) {
  down <- rev(seq_along(values))
  labels <- make.unique(cut_off(labels, longest))[down]
  old <- room_for(labels, 0.25)
  on.exit(graphics::par(old))
  values <- ifelse(is.finite(values), values, 0)[down]
  middle <- graphics::barplot(values, horiz = TRUE, plot = FALSE, space = 0.35)
  empty_axes(xlim = not_flat(range(0, values, marks), c(0, 1)), ylim = range(middle) + c(-0.6, 0.6))
  graphics::grid(ny = NA, col = "grey88", lty = 1)
  graphics::barplot(values,
    horiz = TRUE, space = 0.35, add = TRUE, axes = FALSE,
    col = if (all(is.na(kind))) line_colors[1] else kind_colors[kind[down]],
    border = "grey25", ...
  )
  graphics::abline(v = 0, col = "grey25")
  graphics::abline(v = marks, lty = 2, col = "grey25")
  grey_axis(1)
  around_features(labels, middle, kind, main, xlab)
  invisible(as.vector(middle))
}

# Set margins with room for feature names on the left; return the previous ones.
room_for <- function(labels, beside, least = 0) {
  width <- max(graphics::strwidth(labels, units = "inches", cex = 0.85), least)
  graphics::par(mai = c(0.75, width + beside, 0.95, 0.3), las = 1)
}

not_flat <- function(limits, otherwise) if (diff(limits) == 0) otherwise else limits

grey_axis <- function(side, ...) {
  graphics::axis(side, ..., col = "grey60", cex.axis = 0.85)
}

empty_axes <- function(...) {
  graphics::plot.new()
  graphics::plot.window(...)
}

# Center the title in the figure and not in the axes, smaller where it is too long.
around_features <- function(labels, at, kind, main, xlab) {
  graphics::mtext(labels, side = 2, at = at, line = 0.4, cex = 0.85, padj = 0.5)
  graphics::title(xlab = xlab, line = 2.4)
  room <- graphics::par("fin")[1] - 0.3
  wide <- max(graphics::strwidth(main, units = "inches", cex = 1.05, font = 2), 0.1)
  graphics::mtext(main,
    line = 2.4, at = graphics::grconvertX(0.5, "nfc", "user"), font = 2,
    cex = 1.05 * graphics::par("cex") * min(1, room / wide)
  )
  kinds <- intersect(names(kind_colors), kind)
  if (length(kinds)) {
    above_axes(legend = kinds, fill = kind_colors[kinds], horiz = TRUE, border = "grey25")
  }
}

above_axes <- function(...) {
  graphics::legend("bottom", ..., bty = "n", inset = c(0, 1.0), xpd = NA, cex = 0.85)
}

drawn <- function(top) {
  less <- checks$number(top, "top") < 1
  refuse_if(less, "top must be at least 1. Got ", top, argument = "top")
  top
}

# Colors of Okabe and Ito, as in the report, with marks and dashes to tell lines apart in grey.
line_colors <- c(
  "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#222222", "#7A7A7A"
)
line_marks <- c(16, 15, 17, 18, 25, 3, 4, 8)
measure_names <- c(
  bcr = "balanced accuracy", accuracy = "accuracy", auc = "area under the ROC curve",
  r2 = "R\u00b2", mae = "mean absolute error", rmse = "root mean squared error",
  concordance = "concordance", uno = "Uno's concordance", ibs = "integrated Brier score",
  kuncheva = "Kuncheva's index", n_categorical = "number of categorical features",
  rank_seconds = "time for the ranking (seconds)"
)

#' Print or Plot a Study
#'
#' @description Print, summarize or plot the result of \code{\link{hetsel_study}}. These methods do
#' not need Python.
#' @param x,object Result of \code{\link{hetsel_study}}.
#' @param dataset,classifier The data set to draw, and the judge (final classifier) whose scores are
#'   drawn.
#' @param measure The mean to draw. For classes balanced accuracy (\code{"bcr"}), \code{"accuracy"}
#'   or \code{"auc"}; for numeric targets \code{"r2"}, \code{"mae"} or \code{"rmse"}; for survival
#'   times \code{"concordance"}, \code{"uno"} or \code{"ibs"}; for all targets Kuncheva's index
#'   (\code{"kuncheva"}), the number of categorical features (\code{"n_categorical"}) or the seconds
#'   of the ranking (\code{"rank_seconds"}).
#' @param main,xlab,ylab Title, and labels of the axes; \code{ylab = NULL} names the measure.
#' @param digits Digits after the decimal point.
#' @param ... Passed to \code{\link[graphics]{lines}}; ignored by the others.
#' @details The figure has one line per method against the size of the signature on a logarithmic
#' axis. The dashed vertical line is the chosen size in \code{x$datasets}. Each line has its own
#' color, mark and dashes, so lines are distinct in grey.
#' @return \code{plot} returns the rows of \code{x$summary} that it drew, invisibly;
#' \code{as.data.frame} the data frame \code{x$scores}; \code{summary} a list that prints the
#' findings, the pairs of methods that are better or practically equivalent, the data sets, the
#' means at the chosen size for every judge, failures, warnings and versions.
#' @seealso \code{\link{hetsel_study}}, \code{\link{hetsel_report}}
#' @examplesIf hetsel_available()
#' study <- hetsel_study(
#'   list(methods = c("rfe-mkl", "t-test"), resamplings = 3),
#'   store = tempfile(fileext = ".sqlite"),
#'   data = list(women = list(x = infert[c("age", "spontaneous", "induced")], y = infert$case))
#' )
#' plot(study, main = "Infertility")
#' summary(study)
#' @eval methods_of(
#'   plot = "hetsel_study", print = "hetsel_study", summary = "hetsel_study",
#'   as.data.frame = "hetsel_study"
#' )
plot.hetsel_study <- function(x, dataset = x$datasets$dataset[1],
                              measure = intersect(names(measure_names), names(x$summary)),
                              classifier = x$classifiers[1], main = dataset,
                              xlab = "signature size", ylab = NULL, ...) {
  measure <- one_word(measure, "measure", intersect(names(measure_names), names(x$summary)))
  one_among(dataset, "dataset", x$datasets$dataset, NULL)
  one_among(classifier, "classifier", x$classifiers, NULL)
  shown <- means_drawn(x, measure, classifier, dataset)
  looks <- looks_of(x$methods)[x$methods %in% shown$method, ]
  columns <- min(nrow(looks), 3)
  limits <- range(shown[[measure]])
  limits <- not_flat(limits, limits + c(-0.05, 0.05))
  chosen <- x$datasets$chosen[x$datasets$dataset == dataset]
  draw_over_sizes(
    shown$size, limits, chosen, main, xlab, ylab %||% measure_names[[measure]],
    above = ceiling(nrow(looks) / columns),
    draw = function() {
      for (k in seq_len(nrow(looks))) {
        own <- shown[shown$method == looks$method[k], ]
        own <- own[order(own$size), ]
        graphics::lines(own$size, own[[measure]],
          type = "o", col = looks$color[k], bg = looks$color[k], pch = looks$mark[k],
          lty = looks$dashes[k], lwd = 1.6, cex = 0.8, ...
        )
      }
      above_axes(
        legend = looks$method, col = looks$color, pt.bg = looks$color, pch = looks$mark,
        lty = looks$dashes, lwd = 1.6, ncol = columns, seg.len = 3,
        text.width = 1.25 * max(graphics::strwidth(paste0(looks$method, "mm"), cex = 0.85))
      )
    }
  )
  invisible(shown)
}

means_drawn <- function(x, measure, classifier, dataset = NULL) {
  means <- x$summary[x$summary$classifier == classifier & is.finite(x$summary[[measure]]), ]
  means <- means[means$dataset %in% (dataset %||% means$dataset), ]
  refuse_empty(
    !nrow(means), "The study has no value of ", measure,
    if (!is.null(dataset)) paste(" for", dataset)
  )
  means
}

looks_of <- function(methods) {
  place <- seq_along(methods) - 1
  data.frame(
    method = methods, color = line_colors[place %% 8 + 1],
    mark = line_marks[(place + place %/% 8) %% 8 + 1], dashes = place %% 6 + 1
  )
}

# Draw axes over sizes, with a dashed line at the chosen size; `above`: lines of the legend.
draw_over_sizes <- function(sizes, limits, chosen, main, xlab, ylab, draw, above = 0) {
  old <- graphics::par(mar = c(4, 4.2, 3.2 + above, 1), las = 1)
  on.exit(graphics::par(old))
  empty_axes(xlim = range(sizes), ylim = limits, log = "x")
  ticks <- size_ticks(sizes)
  graphics::abline(h = graphics::axTicks(2), v = ticks, col = "grey90")
  graphics::abline(v = chosen[!is.na(chosen)], lty = 2, col = "grey40")
  draw()
  grey_axis(1, at = ticks)
  grey_axis(2)
  graphics::title(xlab = xlab, line = 2.4)
  graphics::title(ylab = ylab, line = 3)
  graphics::title(main = main, line = 1.4 + above, cex.main = 1.05)
}

# Ticks of a logarithmic axis of sizes.
size_ticks <- function(sizes) {
  round <- outer(c(1, 2, 5), 10^(0:6))
  ticks <- sort(round[round >= min(sizes) & round <= max(sizes)])
  if (length(ticks) < 2) unique(range(sizes)) else ticks
}

# Draw a line over sizes, with an open circle at the chosen size.
draw_line <- function(size, score, chosen, ...) {
  color <- line_colors[1]
  graphics::lines(size, score, type = "o", pch = 16, cex = 0.8, col = color, ...)
  own <- size == chosen
  graphics::points(size[own], score[own], pch = 21, bg = "white", col = color, cex = 1.6)
}

refuse_empty <- function(empty, ...) refuse_if(empty, "there is nothing to draw. ", ...)
