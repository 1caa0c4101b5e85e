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

# A line for each method, by color, mark and dashes, in a panel for each data set.
gg_curves <- function(x, measure, classifier) {
  means <- means_drawn(x, measure, classifier)
  datasets <- x$datasets$dataset
  table <- data.frame(
    size = means$size, value = means[[measure]], method = factor(means$method, x$methods),
    dataset = factor(means$dataset, datasets)
  )
  chosen <- data.frame(dataset = factor(datasets, datasets), size = x$datasets$chosen)
  chosen <- chosen[!is.na(chosen$size) & chosen$dataset %in% table$dataset, ]
  looks <- looks_of(x$methods)
  aes <- ggplot2::aes
  ggplot2::ggplot(table, aes(
    .data$size, .data$value,
    colour = .data$method, shape = .data$method, linetype = .data$method, fill = .data$method
  )) +
    ggplot2::geom_vline(aes(xintercept = .data$size), chosen, linetype = 2, colour = "grey40") +
    ggplot2::geom_line() +
    ggplot2::geom_point() +
    ggplot2::scale_colour_manual(values = looks$color, aesthetics = c("colour", "fill")) +
    ggplot2::scale_shape_manual(values = looks$mark) +
    ggplot2::scale_linetype_manual(values = looks$dashes) +
    ggplot2::scale_x_log10(breaks = size_ticks(table$size)) +
    ggplot2::facet_wrap("dataset", scales = "free") +
    ggplot2::labs(x = "signature size", y = measure_names[[measure]]) +
    gg_look()
}

# A critical-difference diagram with the names of the better half of the methods on the left.
gg_ranks <- function(x, measure, analysis) {
  refuse_empty(!nrow(x$ranks), "Ranks need at least two data sets")
  test <- list(measure = measure, analysis = analysis)
  ranks <- of_test(x$ranks, test)
  legal <- unique(x$ranks[c("measure", "analysis")])
  refuse_if(!nrow(ranks),
    "measure and analysis must be one of ",
    paste(legal$measure, legal$analysis, sep = ", ", collapse = "; "), ". Got ", measure, ", ",
    analysis,
    argument = "analysis"
  )
  k <- nrow(ranks)
  left <- seq_len(k) <= ceiling(k / 2)
  names <- data.frame(
    rank = ranks$mean_rank, label = paste0(" ", shown(ranks$method), " "),
    side = ifelse(left, 0.8, k + 0.2),
    depth = -ifelse(left, seq_len(k), rev(seq_len(k))), just = ifelse(left, 1, 0)
  )
  bars <- group_lines(ranks, of_test(x$alike, test))
  bars <- bars[bars$low < bars$high, ]
  bars$depth <- -0.25 - 0.6 * (seq_len(nrow(bars)) - 1) / max(nrow(bars), 1)
  by <- measure_names[[if (measure == "ki") "kuncheva" else measure]]
  difference <- ranks$critical_difference[1]
  gg_rank_axis(names, bars, k) + ggplot2::labs(
    title = paste0("Mean ranks by ", by, ", ", analysis),
    subtitle = paste0(
      counted(ranks$number[1], "data set"), "; permutation p = ",
      formatC(ranks$pvalue[1], digits = 2, format = "g"),
      if (!is.na(difference)) paste0("; critical difference ", two_digits(difference))
    ),
    x = "mean rank (1 is best)", y = NULL
  )
}

gg_rank_axis <- function(names, bars, k) {
  aes <- ggplot2::aes
  ggplot2::ggplot(names) +
    ggplot2::annotate("segment", x = 1, xend = k, y = 0, yend = 0) +
    ggplot2::geom_segment(aes(.data$rank, 0, xend = .data$rank, yend = .data$depth)) +
    ggplot2::geom_segment(aes(.data$rank, .data$depth, xend = .data$side, yend = .data$depth)) +
    ggplot2::geom_text(aes(.data$side, .data$depth, label = .data$label, hjust = .data$just)) +
    ggplot2::geom_segment(
      aes(.data$low, .data$depth, xend = .data$high, yend = .data$depth), bars,
      linewidth = 2, colour = line_colors[1]
    ) +
    ggplot2::scale_x_continuous(
      breaks = seq_len(k), position = "top",
      expand = ggplot2::expansion(add = 0.2 + 0.035 * k * (max(nchar(names$label)) - 2))
    ) +
    gg_look(
      panel.grid = ggplot2::element_blank(), axis.text.y = ggplot2::element_blank(),
      axis.ticks.x = ggplot2::element_line()
    )
}
