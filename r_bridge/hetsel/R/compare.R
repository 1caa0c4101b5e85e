#' Compare Methods over Data Sets by Statistical Tests
#'
#' @description Test whether methods differ over data sets and which pairs differ, by Friedman's
#' test, Nemenyi's test and Wilcoxon's test with Holm's adjustment. Compute the probability that one
#' method of a pair is better, or that both are practically equivalent, by the Bayesian signed-rank
#' test. \code{plot} draws a critical-difference diagram. \code{plot} and \code{print} do not need
#' Python.
#' @param x Result of \code{\link{hetsel_study}}; or a table of scores, a matrix or a data frame
#'   with one row per data set and one column per method. Data sets are named by a first column of
#'   text or else by the row names. \code{NA} where a data set lacks a method. For \code{plot} and
#'   the other methods, a comparison.
#' @param larger_is_better Whether larger scores are better; \code{FALSE} for errors, whose
#'   negatives are compared.
#' @param rope Largest difference of scores that counts as practically equivalent, in the unit of
#'   the score.
#' @param score For a study, the score to compare, such as \code{"auc"}; \code{NULL} uses the first
#'   score of its target.
#' @param classifier For a study, the label of the judge whose scores are compared; \code{NULL} uses
#'   the first judge of the plan.
#' @param measure,analysis The test to draw, by its entries in \code{x$tests}; the default is the
#'   first available test.
#' @param main Title; \code{NULL} names the test.
#' @param digits Significant digits.
#' @param ... For \code{plot}, passed to \code{\link[graphics]{segments}}, which draws the groups;
#'   else none.
#' @details Data sets are the blocks. Friedman's p-value comes from permutations within data sets
#' and is valid for any number of them. The p-values of the chi-squared distribution and of Iman and
#' Davenport's F are also reported. If data sets lack methods, the test is that of Skillings and
#' Mack. Nemenyi's p-value of a pair is an approximation, so it is reported as at least the
#' permutation p-value. Two methods differ where it is below 0.05. The Bayesian signed-rank test
#' needs six data sets.
#'
#' A study is compared by performance and by stability of signatures: over all sizes, with each
#' method at its own size, and with all methods at one size. The latter two are cross-fitted, see
#' \code{\link{hetsel_report}}. Data sets with at least 10 resamplings also have Bayesian t-tests.
#'
#' In the figure, an axis shows the mean ranks of the methods, the best on the left. A thick line
#' joins methods of which no two differ significantly. The bar above the axis has the length of the
#' critical difference.
#' @return A list of class \code{hetsel_comparison} with the elements
#' \item{tests}{data frame by \code{measure} and \code{analysis}: numbers of \code{blocks} and
#'   \code{gaps}, \code{chi2} and \code{pvalue}, \code{f} and \code{f_pvalue},
#'   \code{permutation_pvalue}, Nemenyi's \code{critical_difference} at level 0.05, the smallest
#'   possible p-value of Wilcoxon's test, and the \code{reason} where there is no test.}
#' \item{ranks}{data frame: \code{method} and \code{mean_rank}, 1 is best.}
#' \item{pairs}{data frame: \code{better} and \code{worse} method of each pair, the
#'   \code{difference} of their mean ranks, the p-values \code{nemenyi} and \code{wilcoxon_holm},
#'   adjusted for all pairs, and whether they \code{differ}.}
#' \item{groups}{data frame: the largest sets of methods of which no two differ.}
#' \item{bayesian}{data frame: pairs with their mean \code{difference} and the probabilities
#'   \code{one_better}, \code{equivalent} and \code{other_better}; \code{dataset} is \code{NA} over
#'   the data sets.}
#' \item{found}{for a study, the findings in sentences.}
#' \item{tables}{for a study, a list of data frames with every number of the tables and figures of
#'   \code{\link{hetsel_report}}, except effects: \code{tests} and \code{paul2015_tests}, with
#'   statistics, p-values and critical differences; \code{pairs_on_data_sets} and
#'   \code{paul2015_t_tests}, the paired t-tests on each data set; \code{paul2015_stability}, with
#'   Nogueira's stability and its 95\% CI; \code{curves} by size;
#'   \code{selection_frequencies} at the chosen size; \code{data_sets}, \code{plan},
#'   \code{methods}, \code{warnings} and \code{versions}; and more.}
#' \code{plot} returns the mean ranks that it drew, best first, invisibly; \code{as.data.frame} the
#' data frame \code{pairs}.
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
#' comparison <- hetsel_compare(scores)
#' print(comparison)
#' plot(comparison)
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

hetsel_compare.hetsel_study <- function(x, score = NULL, ..., classifier = NULL, rope = 0.01) {
  refuse_further("hetsel_compare", ...)
  compared(
    "compare_study", rope, store = x$store, digest = x$digest,
    score = word_or_null(score, "score"), classifier = word_or_null(classifier, "classifier")
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
      "column '", no_number[1], "' of scores must be numeric", got(x[[no_number[1]]][1]),
      argument = "x"
    )
    x <- as.matrix(x)
    rownames(x) <- names %||% rownames(x)
  }
  refuse_if(!is.matrix(x) || !is.numeric(x),
    "x must be a study, or a numeric table of scores, data sets by methods", got(x), argument = "x"
  )
  refuse_if(nrow(x) < 2 || ncol(x) < 2,
    "x must have at least 2 data sets (rows) and 2 methods (columns). Got ",
    counted(nrow(x), "data set"), " and ", counted(ncol(x), "method"), argument = "x"
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
    cat(strwrap(paste("No test over data sets:", reason), exdent = 2), sep = "\n")
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
    if (test$gaps) "Skillings-Mack" else "Friedman", " chi-squared ", number(test$chi2),
    ", permutation p = ", number(test$permutation_pvalue),
    if (!is.na(test$critical_difference)) "; critical difference ",
    if (!is.na(test$critical_difference)) number(test$critical_difference)
  )
  said <- if (nzchar(test$reason)) c("no test: ", test$reason) else said
  cat(test_name(test), ": ", counted(test$blocks, "data set"), "; ", said, "\n", sep = "")
  ranks <- ranks_in(x, test)
  if (!anyNA(ranks$mean_rank)) {
    listed("mean ranks:", toString(paste(ranks$method, two_digits(ranks$mean_rank))))
  }
  apart <- of_test(x$pairs, test)
  apart <- apart[apart$differs, ]
  if (nrow(apart)) {
    listed("significant differences:", toString(paste(apart$better, "before", apart$worse)))
  } else if (!nzchar(test$reason)) {
    cat("  no two methods differ significantly\n")
  }
}

# The rows of a table for one test; its mean ranks, best first.
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

# The ends of the line of each group, and its level, chosen so that lines do not overlap.
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

# Draw the axis with the methods below it, the better half on the left.
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
