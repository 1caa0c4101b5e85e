# Far apart in lightness, so that they differ in grey too.
kind_colors <- c(continuous = "#20486B", ordinal = "#6FA287", nominal = "#F3C969")

#' Show a ranking
#'
#' @description Prints or draws what \code{\link{hetsel_rank}} returns. None of these needs Python.
#' @param x,object a ranking.
#' @param top,n number of features to show, best first.
#' @param main,xlab title, and label of the axis.
#' @param digits significant digits of the importance.
#' @param ... passed to \code{\link[graphics]{barplot}}; ignored by \code{print},
#'   \code{summary} and \code{as.data.frame}; passed to the method for data frames by
#'   \code{head}.
#' @details The bars are colored by kind, with lightnesses that stay apart in grey. In an
#' elimination only features that were dropped in the same step compare by their bars; the order is
#' the ranking.
#' @return \code{as.data.frame} and \code{head} return data frames with the columns \code{rank},
#' \code{feature}, \code{kind} and \code{importance}; \code{summary} a list that prints the columns,
#' missing cells, open questions and steps of the elimination; \code{plot} the positions of the
#' bars, invisibly, best feature last.
#' @examples
#' if (hetsel_available()) {
#'   ranking <- hetsel_rank(case ~ ., infert[c("age", "parity", "education", "case")])
#'   plot(ranking, main = "Infertility")
#'   as.data.frame(ranking)
#' }
#' @importFrom graphics plot
#' @export
plot.hetsel_ranking <- function(x, top = 20, main = x$title, xlab = "importance", ...) {
  best <- utils::head(x$ranking, drawn(top))
  draw_bars(best$importance, shown(best$feature), best$kind, main, xlab, ...)
}

# A bar for each feature, the first one on top, colored by kind; the middles of the bars. A dashed
# line stands at each of `marks`.
draw_bars <- function(values, labels, kind, main, xlab, marks = NULL, ...) {
  down <- rev(seq_along(values))
  labels <- cut_off(labels[down], 30)
  width <- max(graphics::strwidth(labels, units = "inches", cex = 0.85)) + 0.25
  kinds <- names(kind_colors)[names(kind_colors) %in% kind]
  old <- graphics::par(mai = c(0.75, width, 0.95, 0.3), las = 1)
  on.exit(graphics::par(old))
  values <- values[down]
  values[!is.finite(values)] <- 0
  limits <- range(0, values, marks)
  if (diff(limits) == 0) {
    limits <- c(0, 1)
  }
  middle <- graphics::barplot(values, horiz = TRUE, plot = FALSE, space = 0.35)
  empty_axes(xlim = limits, ylim = range(middle) + c(-0.6, 0.6))
  graphics::grid(ny = NA, col = "grey88", lty = 1)
  graphics::barplot(
    values,
    horiz = TRUE, space = 0.35, add = TRUE, axes = FALSE, col = kind_colors[kind[down]],
    border = "grey25", ...
  )
  graphics::abline(v = 0, col = "grey25")
  graphics::abline(v = marks, lty = 2, col = "grey25")
  grey_axis(1)
  graphics::mtext(labels, side = 2, at = middle, line = 0.4, cex = 0.85)
  graphics::title(xlab = xlab, line = 2.4)
  draw_title(main)
  kind_legend(kinds)
  invisible(as.vector(middle))
}

# Axes of a figure: a grey one on each of these sides.
grey_axis <- function(side, ...) {
  graphics::axis(side, ..., col = "grey60", cex.axis = 0.85)
}

empty_axes <- function(...) {
  graphics::plot.new()
  graphics::plot.window(...)
}

# The kinds of features by color, above the figure.
kind_legend <- function(kinds) {
  graphics::legend(
    "bottom",
    legend = kinds, fill = kind_colors[kinds], horiz = TRUE, bty = "n", border = "grey25",
    inset = c(0, 1.0), xpd = NA, cex = 0.85
  )
}

# The title, in the middle of the figure and not of the axes, smaller where it is too long for that.
draw_title <- function(main) {
  room <- graphics::par("fin")[1] - 0.3
  wide <- max(graphics::strwidth(main, units = "inches", cex = 1.05, font = 2), 0.1)
  graphics::mtext(
    main,
    line = 2.4, at = graphics::grconvertX(0.5, "nfc", "user"), font = 2,
    cex = 1.05 * graphics::par("cex") * min(1, room / wide)
  )
}

# The number of features to draw.
drawn <- function(top) {
  if (one_of(top, "top", is.numeric) < 1) {
    refuse("top must be 1 or larger. Got ", top, argument = "top")
  }
  top
}

# Okabe and Ito, as in the report; a mark and dashes for each, so that a line is told without color.
line_colors <- c(
  "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#222222", "#7A7A7A"
)
line_marks <- c(16, 15, 17, 18, 25, 3, 4, 8)
measure_names <- c(
  bcr = "balanced classification rate", accuracy = "accuracy", auc = "area under the ROC curve",
  r2 = "R\u00b2", mae = "mean absolute error", rmse = "root mean squared error",
  concordance = "concordance", uno = "Uno's concordance", ibs = "integrated Brier score",
  kuncheva = "Kuncheva's index", n_categorical = "categorical features",
  rank_seconds = "seconds for the ranking"
)

#' Show a study
#'
#' @description Prints or draws what \code{\link{hetsel_study}} returns. None of these needs Python.
#' @param x,object a study.
#' @param dataset,classifier which data set is drawn, judged by which final classifier.
#' @param measure what is drawn: the mean of the balanced classification rate, of the accuracy, of
#'   the area under the ROC curve (\code{"bcr"}, \code{"accuracy"}, \code{"auc"}; of numbers
#'   \code{"r2"}, \code{"mae"} or \code{"rmse"}, of survival times \code{"concordance"},
#'   \code{"uno"} or \code{"ibs"}), Kuncheva's index (\code{"kuncheva"}), the mean
#'   number of categorical features (\code{"n_categorical"}) or seconds (\code{"rank_seconds"}).
#' @param main,xlab,ylab title, and labels of the axes; \code{ylab = NULL} names the measure.
#' @param digits decimals of the numbers.
#' @param ... passed to \code{\link[graphics]{lines}}; ignored by the others.
#' @details A line for each method against the size of the signature, which is on a logarithmic
#' axis; the dashed vertical line is the chosen size, that of \code{x$datasets}. Each line has a
#' color, a mark and dashes of its own, so
#' that it is told in grey too.
#' @return \code{plot} returns the rows of \code{x$summary} that it drew, invisibly;
#' \code{as.data.frame} the
#' data frame \code{x$scores}; \code{summary} a list that prints what was found, which methods are
#' better or practically equal, data sets, means at the
#' chosen size for every final classifier, failures, warnings and versions.
#' @examples
#' if (hetsel_available()) {
#'   study <- hetsel_study(
#'     list(methods = c("rfe-mkl", "t-test"), resamplings = 3),
#'     store = tempfile(fileext = ".sqlite"),
#'     data = list(women = list(x = infert[c("age", "spontaneous", "induced")], y = infert$case))
#'   )
#'   plot(study, main = "Infertility")
#'   summary(study)
#' }
#' @export
plot.hetsel_study <- function(x, dataset = x$datasets$dataset[1],
                              measure = intersect(names(measure_names), names(x$summary)),
                              classifier = x$classifiers[1], main = dataset,
                              xlab = "signature size", ylab = NULL, ...) {
  measure <- one_word(measure, "measure", intersect(names(measure_names), names(x$summary)))
  one_among(dataset, "dataset", x$datasets$dataset, NULL)
  one_among(classifier, "classifier", x$classifiers, NULL)
  every <- x$summary[x$summary$dataset == dataset & x$summary$classifier == classifier, ]
  shown <- every[is.finite(every[[measure]]), ]
  if (!nrow(shown)) {
    refuse("there is nothing to draw: no value of ", measure, " for ", dataset)
  }
  methods <- x$methods[x$methods %in% shown$method]
  place <- match(methods, x$methods) - 1
  colors <- line_colors[place %% 8 + 1]
  marks <- line_marks[(place + place %/% 8) %% 8 + 1]
  dashes <- place %% 6 + 1
  columns <- min(length(methods), 3)
  old <- graphics::par(mar = c(4, 4.2, 3.2 + ceiling(length(methods) / columns), 1), las = 1)
  on.exit(graphics::par(old))
  limits <- range(shown[[measure]])
  if (diff(limits) == 0) {
    limits <- limits + c(-0.05, 0.05)
  }
  empty_axes(xlim = range(shown$size), ylim = limits, log = "x")
  ticks <- size_ticks(shown$size)
  graphics::abline(h = graphics::axTicks(2), v = ticks, col = "grey90")
  chosen <- x$datasets$chosen[x$datasets$dataset == dataset]
  if (!is.na(chosen)) {
    graphics::abline(v = chosen, lty = 2, col = "grey40")
  }
  for (k in seq_along(methods)) {
    own <- shown[shown$method == methods[k], ]
    own <- own[order(own$size), ]
    graphics::lines(
      own$size, own[[measure]],
      type = "o", col = colors[k], bg = colors[k], pch = marks[k], lty = dashes[k], lwd = 1.6,
      cex = 0.8, ...
    )
  }
  grey_axis(1, at = ticks)
  grey_axis(2)
  graphics::title(xlab = xlab, line = 2.4)
  graphics::title(ylab = ylab %||% measure_names[[measure]], line = 3)
  graphics::title(main = main, line = 1.4 + ceiling(length(methods) / columns), cex.main = 1.05)
  graphics::legend(
    "bottom",
    legend = methods, col = colors, pt.bg = colors, pch = marks, lty = dashes, lwd = 1.6,
    ncol = columns, bty = "n", inset = c(0, 1.0), xpd = NA, cex = 0.85, seg.len = 3,
    text.width = 1.25 * max(graphics::strwidth(paste0(methods, "mm"), units = "user", cex = 0.85))
  )
  invisible(shown)
}

# Where a logarithmic axis of sizes has its ticks.
size_ticks <- function(sizes) {
  round <- outer(c(1, 2, 5), 10^(0:6))
  ticks <- sort(round[round >= min(sizes) & round <= max(sizes)])
  if (length(ticks) < 2) unique(range(sizes)) else ticks
}
