# Far apart in lightness, so that they differ in grey too.
kind_colors <- c(continuous = "#20486B", ordinal = "#6FA287", nominal = "#F3C969")

#' Show a ranking
#'
#' @description Prints or draws what \code{\link{hetsel_rank}} returns. None of these needs Python.
#' @param x,object a ranking.
#' @param top,n number of features to show, best first.
#' @param main,xlab title, and label of the axis.
#' @param digits significant digits of the importance.
#' @param ... passed to \code{\link[graphics]{barplot}}; ignored by \code{print}, \code{summary} and
#'   \code{as.data.frame}; passed to the method for data frames by \code{head}.
#' @details The bars are colored by kind, with lightnesses that stay apart in grey. In an
#' elimination only features that were dropped in the same step compare by their bars; the order is
#' the ranking.
#' @return \code{as.data.frame} and \code{head} return data frames with the columns \code{rank},
#' \code{feature}, \code{kind} and \code{importance}; \code{summary} a list that prints the columns,
#' missing cells, open questions and steps of the elimination; \code{plot} the positions of the
#' bars, invisibly, best feature last.
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

# A bar for each feature, the first one on top, and a dashed line at each of `marks`.
draw_bars <- function(values, labels, kind, main, xlab, marks = NULL, longest = 30, ...) {
  down <- rev(seq_along(values))
  labels <- cut_off(labels[down], longest)
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

# Margins with room for names of features on the left; those before.
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

# The title is in the middle of the figure and not of the axes, smaller where it is too long.
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
  refuse_if(less, "top must be 1 or larger. Got ", top, argument = "top")
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
#' color, a mark and dashes of its own, so that it is told in grey too.
#' @return \code{plot} returns the rows of \code{x$summary} that it drew, invisibly;
#' \code{as.data.frame} the data frame \code{x$scores}; \code{summary} a list that prints what was
#' found, which methods are better or practically equal, data sets, means at the chosen size for
#' every final classifier, failures, warnings and versions.
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
  refuse_empty(!nrow(means), "no value of ", measure, if (!is.null(dataset)) paste(" for", dataset))
  means
}

looks_of <- function(methods) {
  place <- seq_along(methods) - 1
  data.frame(
    method = methods, color = line_colors[place %% 8 + 1],
    mark = line_marks[(place + place %/% 8) %% 8 + 1], dashes = place %% 6 + 1
  )
}

# Axes of what `draw` draws over sizes, the chosen one dashed; `above` are the lines of a legend.
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

# Where a logarithmic axis of sizes has its ticks.
size_ticks <- function(sizes) {
  round <- outer(c(1, 2, 5), 10^(0:6))
  ticks <- sort(round[round >= min(sizes) & round <= max(sizes)])
  if (length(ticks) < 2) unique(range(sizes)) else ticks
}

# A line over sizes, the one chosen as an open circle.
draw_line <- function(size, score, chosen, ...) {
  color <- line_colors[1]
  graphics::lines(size, score, type = "o", pch = 16, cex = 0.8, col = color, ...)
  own <- size == chosen
  graphics::points(size[own], score[own], pch = 21, bg = "white", col = color, cex = 1.6)
}

refuse_empty <- function(empty, ...) refuse_if(empty, "there is nothing to draw: ", ...)
