#' Compare methods over data sets
#'
#' @description Tests whether methods differ over data sets, which pairs of them do, and how
#' probably one of a pair is better or both are practically equal: Friedman's test, Nemenyi's and
#' Wilcoxon's with Holm's correction, and the Bayesian signed-rank test. \code{plot} draws what was
#' found as a critical-difference diagram. Neither that nor \code{print} needs Python.
#' @param x what \code{\link{hetsel_study}} returned; or a table of scores, a matrix or a data frame
#'   with a row for each data set and a column for each method. A first column of text names the
#'   data sets, else the names of the rows do. \code{NA} where a data set lacks a method. Of
#'   \code{plot} and the like, a comparison.
#' @param larger_is_better whether larger scores are better; for errors \code{FALSE}: their
#'   negatives are compared.
#' @param rope scores that differ by no more are practically equal; in the unit of the score.
#' @param score of a study, the score by which methods are compared, such as \code{"auc"};
#'   \code{NULL} takes the first of its target.
#' @param measure,analysis which test is drawn, by its entries in \code{x$tests}; the first one that
#'   is there.
#' @param main title; \code{NULL} names the test.
#' @param digits significant digits.
#' @param ... of \code{plot}, passed to \code{\link[graphics]{segments}}, which draws the groups;
#'   else none.
#' @details Data sets are the blocks. Friedman's p-value is by permutations within the data sets,
#' which holds for any number of them; those of chi-squared and of Iman and Davenport's F stand
#' beside it. Where data sets lack methods the test is that of Skillings and Mack. Nemenyi's p-value
#' of a pair is an approximation, so it is given as at least the one by permutations; two methods
#' differ where it is below 0.05. Bayesian tests of pairs over data sets need six data sets.
#'
#' A study is compared by its performance and by the stability of its signatures, over all sizes,
#' each method at a size of its own, and all at one size; both are cross-fitted, see
#' \code{\link{hetsel_report}}. Data sets with 10 resamplings and more have Bayesian t-tests of
#' their own.
#'
#' In the figure methods stand by their mean rank on an axis, the best on the left. A thick line
#' joins methods of which no two differ significantly; the bar above the axis is as long as the
#' critical difference.
#' @return A list of class \code{hetsel_comparison} with
#' \item{tests}{data frame by \code{measure} and \code{analysis}: numbers of \code{blocks} and
#'   \code{gaps}, \code{chi2} and \code{pvalue}, \code{f} and \code{f_pvalue},
#'   \code{permutation_pvalue}, Nemenyi's \code{critical_difference} at 0.05, the least p-value
#'   that Wilcoxon's test can have there, and the \code{reason} where there is no test.}
#' \item{ranks}{data frame: \code{method} and \code{mean_rank}, 1 is best.}
#' \item{pairs}{data frame: \code{better} and \code{worse} of each pair, the \code{difference} of
#'   their mean ranks, p-values over all pairs \code{nemenyi} and \code{wilcoxon_holm}, and whether
#'   they \code{differ}.}
#' \item{groups}{data frame: the largest sets of methods of which no two differ.}
#' \item{bayesian}{data frame: pairs with their mean \code{difference} and the probabilities
#'   \code{one_better}, \code{equivalent} and \code{other_better}; \code{dataset} is \code{NA} over
#'   the data sets.}
#' \item{found}{of a study, what was found in sentences.} \code{plot} returns the mean ranks that it
#' drew, best first, invisibly; \code{as.data.frame} the data frame \code{pairs}.
#' @references Benavoli, A., Corani, G., Demsar, J. and Zaffalon, M. (2017) Time for a change: a
#' tutorial for comparing multiple classifiers through Bayesian analysis. \emph{Journal of Machine
#' Learning Research} 18(77), 1--36.
#'
#' Demsar, J. (2006) Statistical comparisons of classifiers over multiple data sets. \emph{Journal
#' of Machine Learning Research} 7, 1--30.
#' @seealso \code{\link{hetsel_study}}, \code{\link{hetsel_stability}}
#' @examplesIf hetsel_available()
#' scores <- data.frame(
#'   dataset = paste0("set", 1:8),
#'   a = c(0.91, 0.84, 0.79, 0.88, 0.93, 0.75, 0.82, 0.90),
#'   b = c(0.88, 0.83, 0.74, 0.86, 0.92, 0.71, 0.80, 0.85),
#'   c = c(0.71, 0.80, 0.75, 0.70, 0.83, 0.69, 0.72, 0.81)
#' )
#' compared <- hetsel_compare(scores)
#' print(compared)
#' plot(compared)
#' @export
hetsel_compare <- function(x, ...) UseMethod("hetsel_compare")

#' @rdname hetsel_compare
#' @eval methods_of(
#'   hetsel_compare = c("default", "hetsel_study"), print = "hetsel_comparison",
#'   as.data.frame = "hetsel_comparison", plot = "hetsel_comparison"
#' )
hetsel_compare.default <- function(x, ..., larger_is_better = TRUE, rope = 0.01) {
  refuse_further("hetsel_compare", ...)
  scores <- scores_of(x)
  compared("compare_scores", rope,
    scores = as.double(scores), methods = enc2utf8(colnames(scores)),
    datasets = enc2utf8(rownames(scores)),
    larger_is_better = checks$flag(larger_is_better, "larger_is_better")
  )
}

hetsel_compare.hetsel_study <- function(x, score = NULL, ..., rope = 0.01) {
  refuse_further("hetsel_compare", ...)
  compared(
    "compare_study", rope, store = x$store, digest = x$digest, score = word_or_null(score, "score")
  )
}

compared <- function(name, rope, ...) {
  structure(ask(name, ..., rope = checks$number(rope, "rope")), class = "hetsel_comparison")
}

# A matrix of scores, data sets by methods, both with names.
scores_of <- function(x) {
  if (is.data.frame(x)) {
    names <- if (ncol(x) && (is.character(x[[1]]) || is.factor(x[[1]]))) as.character(x[[1]])
    x <- as.data.frame(if (is.null(names)) x else x[-1])
    no_number <- names(x)[!vapply(x, is.numeric, NA)]
    refuse_if(length(no_number) > 0,
      "the scores of method '", no_number[1], "' must be numbers", got(x[[no_number[1]]][1]),
      argument = "x"
    )
    x <- as.matrix(x)
    rownames(x) <- names %||% rownames(x)
  }
  refuse_if(!is.matrix(x) || !is.numeric(x),
    "x must be a study, or a table of scores, data sets by methods", got(x), argument = "x"
  )
  refuse_if(nrow(x) < 2 || ncol(x) < 2,
    "a comparison needs 2 data sets and 2 methods or more. Got ", nrow(x), " data sets, ",
    ncol(x), " methods", argument = "x"
  )
  dimnames(x) <- Map(function(names, n) names %||% as.character(seq_len(n)),
    dimnames(x) %||% list(NULL, NULL), dim(x)
  )
  x
}

print.hetsel_comparison <- function(x, digits = 3, ...) {
  if (length(x$found)) cat(strwrap(x$found, exdent = 2), "", sep = "\n")
  reason <- unique(x$tests$reason)
  if (nrow(x$tests) > 1 && length(reason) == 1 && nzchar(reason)) {
    cat(strwrap(paste("no test over the data sets:", reason), exdent = 2), sep = "\n")
  } else {
    for (k in seq_len(nrow(x$tests))) {
      print_test(x, x$tests[k, ], digits)
    }
  }
  over_all <- x$bayesian[is.na(x$bayesian$dataset), setdiff(names(x$bayesian), "dataset")]
  if (nrow(over_all)) {
    shown <- if (any(nzchar(over_all$analysis))) names(over_all) else names(over_all)[-1]
    print_part("Probabilities over the data sets", for_eyes(over_all[shown], digits))
  } else { # of one data set
    print_part("Probabilities by the resamplings", for_eyes(x$bayesian, digits))
  }
  invisible(x)
}

# One test with the mean ranks, best first, and the pairs that differ.
print_test <- function(x, test, digits) {
  number <- function(value) formatC(value, digits = digits, format = "g")
  listed <- function(...) cat(strwrap(paste(...), indent = 2, exdent = 4), sep = "\n")
  said <- c(
    if (test$gaps) "Skillings-Mack" else "Friedman", " chi-squared ", number(test$chi2), ", p = ",
    number(test$permutation_pvalue), " by permutations",
    if (!is.na(test$critical_difference)) "; critical difference ",
    if (!is.na(test$critical_difference)) number(test$critical_difference)
  )
  said <- if (nzchar(test$reason)) c("no test: ", test$reason) else said
  cat(test_name(test), ": ", test$blocks, " data sets; ", said, "\n", sep = "")
  ranks <- ranks_in(x, test)
  if (!anyNA(ranks$mean_rank)) {
    listed("mean ranks:", toString(paste(ranks$method, two_digits(ranks$mean_rank))))
  }
  apart <- of_test(x$pairs, test)
  apart <- apart[apart$differs, ]
  if (nrow(apart)) {
    listed("differ:", toString(paste(apart$better, "before", apart$worse)))
  } else if (!nzchar(test$reason)) {
    cat("  no two methods are told apart\n")
  }
}

# The rows of a part that are of a test; its mean ranks, best first.
of_test <- function(part, test) {
  part[part$measure == test$measure & part$analysis == test$analysis, ]
}

ranks_in <- function(x, test) {
  ranks <- of_test(x$ranks, test)
  ranks[order(ranks$mean_rank), ]
}

test_name <- function(test) {
  paste0(test$measure, if (nzchar(test$analysis)) paste0(", ", test$analysis))
}

two_digits <- function(value) formatC(value, digits = 2, format = "f")

as.data.frame.hetsel_comparison <- function(x, ...) x$pairs

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
