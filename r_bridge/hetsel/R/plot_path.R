#' Print or Plot a Search over Subsets
#'
#' @description Print, summarize or plot the result of \code{\link{hetsel_search}}. These methods do
#' not need Python.
#' @param x,object Result of \code{\link{hetsel_search}}.
#' @param top Number of features to draw: selected features first, then those in the most subsets.
#'   For \code{print}, the number of sizes to print, around the selected size.
#' @param n Number of sizes, the smallest first.
#' @param main,xlab,ylab Title, by default the search and the criterion, and labels of the axes.
#' @param digits Significant digits of the inner score.
#' @param ... Passed to \code{\link[graphics]{lines}}; ignored by \code{print}, \code{summary} and
#'   \code{as.data.frame}; passed to the method for data frames by \code{head}.
#' @details The upper panel shows the inner score of the best subset of each size. The lower panel
#' shows a box for each feature in the subset, colored by kind. The dashed line and the open circle
#' mark the selected size. The search maximized the inner score, so performance on new rows is
#' lower.
#' @return \code{as.data.frame} and \code{head} return data frames with the columns \code{size},
#' \code{score} and \code{features}. \code{features} is one text of names separated by commas, which
#' can be written to a file; \code{x$path} has a list. \code{summary} returns a list that prints the
#' selected subset, the subsets by \code{ties}, the last moves and the columns. \code{plot} returns
#' the features that it drew, top first, invisibly.
#' @seealso \code{\link{hetsel_search}}
#' @examplesIf hetsel_available()
#' women <- infert[c("age", "parity", "education", "spontaneous", "case")]
#' path <- hetsel_search(case ~ ., women, ties = 0.01)
#' plot(path, main = "Infertility")
#' as.data.frame(path)
#' @export
plot.hetsel_path <- function(x, top = 25, main = path_title(x), xlab = "size",
                             ylab = "inner score", ...) {
  features <- features_drawn(x, drawn(top))
  labels <- cut_off(shown(features), 30)
  old <- room_for(labels, 0.5, least = 0.4)
  on.exit(graphics::par(old))
  sizes <- x$path$size
  height <- max(4, 0.7 * length(features))
  empty_axes(xlim = range(sizes) + c(-0.6, 0.6), ylim = c(0.5 - length(features), 1 + height))
  graphics::abline(v = x$size, lty = 2, col = "grey40")
  kind <- x$columns$kind[match(features, x$columns$name)]
  draw_membership(x, features, kind)
  draw_scores(x, height, ...)
  ticks <- if (length(sizes) <= 12) sizes else unique(round(pretty(sizes)))
  grey_axis(1, at = ticks[ticks >= min(sizes) & ticks <= max(sizes)])
  line <- graphics::par("mai")[2] / graphics::par("csi") - 1.2
  graphics::mtext(ylab, side = 2, at = 1 + height / 2, line = line, las = 0)
  around_features(labels, 1 - seq_along(features), kind, main, xlab)
  invisible(features)
}

# The features selected, then the others by the number of subsets that have them.
features_drawn <- function(x, top) {
  often <- tabulate(match(unlist(x$path$features), x$columns$name), nrow(x$columns))
  found <- order(!x$columns$name %in% x$selected, -often)
  x$columns$name[utils::head(found[often[found] > 0], top)]
}

# A box for each feature in the subset of a size: feature k from the top is at height 1 - k.
draw_membership <- function(x, features, kind) {
  graphics::abline(h = 1 - seq_along(features), col = "grey90")
  place <- match(unlist(x$path$features), features)
  size <- rep(x$path$size, lengths(x$path$features))[!is.na(place)]
  place <- place[!is.na(place)]
  graphics::rect(
    size - 0.4, 0.6 - place, size + 0.4, 1.4 - place,
    col = kind_colors[kind[place]], border = if (nrow(x$path) <= 40) "grey25" else NA
  )
}

draw_scores <- function(x, height, ...) {
  shown <- x$path[is.finite(x$path$score), ]
  if (!nrow(shown)) {
    return()
  }
  limits <- range(shown$score)
  limits <- not_flat(limits, limits + c(-0.5, 0.5) * max(abs(limits[1]), 1e-3) / 10)
  at <- function(score) 1 + height * (score - limits[1]) / diff(limits)
  ticks <- pretty(limits, 4)
  ticks <- ticks[ticks >= limits[1] & ticks <= limits[2]]
  graphics::abline(h = at(ticks), col = "grey90")
  grey_axis(2, at = at(ticks), labels = format(ticks))
  draw_line(shown$size, at(shown$score), x$size, ...)
}
