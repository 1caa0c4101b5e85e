# A study as figures of ggplot2.

#' @rdname hetsel_autoplot
#' @exportS3Method ggplot2::autoplot
autoplot.hetsel_study <- function(object, type = c("curves", "ranks"),
                                  measure = main_measure(object),
                                  classifier = object$classifiers[1],
                                  analysis = object$ranks$analysis[1], ...) {
  one_of(measure, "measure", is.character)
  if (one_word(type, "type", c("curves", "ranks")) == "ranks") {
    return(gg_ranks(object, measure, analysis))
  }
  one_among(measure, "measure", intersect(names(measure_names), names(object$summary)))
  one_among(classifier, "classifier", object$classifiers, NULL)
  gg_curves(object, measure, classifier)
}

# A line for each method, told by color, mark and dashes, in a panel for each data set.
gg_curves <- function(x, measure, classifier) {
  means <- x$summary[x$summary$classifier == classifier & is.finite(x$summary[[measure]]), ]
  if (!nrow(means)) {
    nothing_to_draw(paste("no value of", measure))
  }
  table <- data.frame(
    size = means$size, value = means[[measure]], method = factor(means$method, x$methods),
    dataset = factor(means$dataset, x$datasets$dataset)
  )
  chosen <- data.frame(
    dataset = factor(x$datasets$dataset, x$datasets$dataset), size = x$datasets$chosen
  )
  chosen <- chosen[!is.na(chosen$size) & chosen$dataset %in% table$dataset, ]
  place <- seq_along(x$methods) - 1
  ggplot2::ggplot(table, ggplot2::aes(
    .data$size, .data$value,
    colour = .data$method, shape = .data$method, linetype = .data$method, fill = .data$method
  )) +
    ggplot2::geom_vline(
      ggplot2::aes(xintercept = .data$size), chosen, linetype = 2, colour = "grey40"
    ) +
    ggplot2::geom_line() +
    ggplot2::geom_point() +
    ggplot2::scale_colour_manual(
      values = line_colors[place %% 8 + 1], aesthetics = c("colour", "fill")
    ) +
    ggplot2::scale_shape_manual(values = line_marks[(place + place %/% 8) %% 8 + 1]) +
    ggplot2::scale_linetype_manual(values = place %% 6 + 1) +
    ggplot2::scale_x_log10(breaks = size_ticks(table$size)) +
    ggplot2::facet_wrap("dataset", scales = "free") +
    ggplot2::labs(
      x = "signature size", y = measure_names[[measure]], colour = NULL, shape = NULL,
      linetype = NULL, fill = NULL
    ) +
    gg_look()
}

# A critical-difference diagram: the better half of the methods is named on the left, the other half
# on the right; a bar joins methods that do not differ.
gg_ranks <- function(x, measure, analysis) {
  if (!nrow(x$ranks)) {
    nothing_to_draw("methods are ranked over two data sets and more")
  }
  legal <- unique(x$ranks[c("measure", "analysis")])
  ranks <- x$ranks[x$ranks$measure == measure & x$ranks$analysis == analysis, ]
  if (!nrow(ranks)) {
    refuse(
      "measure and analysis must be one of ",
      paste(legal$measure, legal$analysis, sep = ", ", collapse = "; "), ". Got ", measure, ", ",
      analysis,
      argument = "analysis"
    )
  }
  k <- nrow(ranks)
  left <- seq_len(k) <= ceiling(k / 2)
  names <- data.frame(
    rank = ranks$mean_rank, method = ranks$method, side = ifelse(left, 0.8, k + 0.2),
    depth = -ifelse(left, seq_len(k), rev(seq_len(k))), just = ifelse(left, 1, 0)
  )
  alike <- x$alike[x$alike$measure == measure & x$alike$analysis == analysis, ]
  alike$rank <- ranks$mean_rank[match(alike$method, ranks$method)]
  bars <- lapply(split(alike$rank, alike$group), range)
  bars <- Filter(function(ends) ends[1] < ends[2], bars)
  bars <- data.frame(
    from = vapply(bars, `[`, 0, 1), to = vapply(bars, `[`, 0, 2),
    depth = -0.25 - 0.6 * (seq_along(bars) - 1) / max(length(bars), 1)
  )
  gg_rank_axis(names, bars, k) + ggplot2::labs(
    title = paste0("Mean ranks by the ", ranked_by(measure), ", ", analysis),
    subtitle = ranks_in_words(ranks), x = "mean rank (1 is best)", y = NULL
  )
}

ranked_by <- function(measure) {
  if (measure == "ki") measure_names[["kuncheva"]] else measure_names[[measure]]
}

ranks_in_words <- function(ranks) {
  difference <- ranks$critical_difference[1]
  paste0(
    ranks$number[1], " data sets; p = ", formatC(ranks$pvalue[1], digits = 2, format = "g"),
    " by permutations",
    if (!is.na(difference)) {
      paste0("; critical difference ", formatC(difference, digits = 2, format = "f"))
    }
  )
}

gg_rank_axis <- function(names, bars, k) {
  ggplot2::ggplot(names) +
    ggplot2::annotate("segment", x = 1, xend = k, y = 0, yend = 0) +
    ggplot2::geom_segment(ggplot2::aes(.data$rank, 0, xend = .data$rank, yend = .data$depth)) +
    ggplot2::geom_segment(
      ggplot2::aes(.data$rank, .data$depth, xend = .data$side, yend = .data$depth)
    ) +
    ggplot2::geom_text(ggplot2::aes(
      .data$side, .data$depth,
      label = paste0(" ", shown(.data$method), " "), hjust = .data$just
    )) +
    ggplot2::geom_segment(
      ggplot2::aes(.data$from, .data$depth, xend = .data$to, yend = .data$depth), bars,
      linewidth = 2, colour = line_colors[1]
    ) +
    ggplot2::scale_x_continuous(
      breaks = seq_len(k), position = "top",
      expand = ggplot2::expansion(add = 0.2 + 0.035 * k * max(nchar(names$method)))
    ) +
    gg_look() +
    ggplot2::theme(
      panel.grid = ggplot2::element_blank(), axis.text.y = ggplot2::element_blank(),
      axis.ticks.x = ggplot2::element_line()
    )
}

#' @rdname hetsel_autoplot
#' @exportS3Method ggplot2::fortify
fortify.hetsel_ranking <- function(model, data, ...) as.data.frame(model)

#' @rdname hetsel_autoplot
#' @exportS3Method ggplot2::fortify
fortify.hetsel_path <- function(model, data, ...) as.data.frame(model)

#' @rdname hetsel_autoplot
#' @exportS3Method ggplot2::fortify
fortify.hetsel_signature <- function(model, data, ...) as.data.frame(model)

#' @rdname hetsel_autoplot
#' @exportS3Method ggplot2::fortify
fortify.hetsel_study <- function(model, data, ...) as.data.frame(model)
