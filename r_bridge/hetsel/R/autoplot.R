# What plot() draws, as figures of ggplot2. `.data` is its pronoun for a column of the table.
utils::globalVariables(".data")

#' Figures of ggplot2
#'
#' @description With the package \pkg{ggplot2}: \code{autoplot} draws what
#' \code{\link[=plot.hetsel_ranking]{plot}} does, as a figure that can be changed, and
#' \code{fortify} gives the table for one's own.
#' @param object,model what \code{\link{hetsel_rank}}, \code{\link{hetsel_search}},
#'   \code{\link{hetsel_select}} or \code{\link{hetsel_study}} returned.
#' @param top number of features to draw.
#' @param type what to draw. Of a signature: \code{"frequency"}, \code{"effects"} or \code{"sizes"},
#'   as in \code{\link{plot.hetsel_signature}}. Of a study: \code{"curves"} of a measure against the
#'   size, a panel for each data set, or \code{"ranks"}, a critical-difference diagram of the mean
#'   ranks over the data sets.
#' @param measure of a study, as in \code{\link{plot.hetsel_study}}; of \code{"ranks"} the score or
#'   \code{"ki"}, Kuncheva's index.
#' @param analysis of \code{"ranks"}, one of those in \code{object$ranks}.
#' @param classifier which final classifier judges the curves.
#' @param data,... ignored.
#' @details In a critical-difference diagram methods further left rank better, and a bar joins those
#' that do not differ by Nemenyi's test at 0.05; all of them are joined where Friedman's test, by
#' permutations, finds no difference.
#' @return A figure of class \code{ggplot}; \code{fortify} a data frame.
#' @examples
#' if (hetsel_available() && requireNamespace("ggplot2", quietly = TRUE)) {
#'   ranking <- hetsel_rank(case ~ ., infert[c("age", "parity", "education", "case")])
#'   ggplot2::autoplot(ranking)
#' }
#' @name hetsel_autoplot
NULL

#' @rdname hetsel_autoplot
#' @exportS3Method ggplot2::autoplot
autoplot.hetsel_ranking <- function(object, top = 20, ...) {
  best <- utils::head(object$ranking, drawn(top))
  gg_bars(best$feature, best$importance, best$kind) +
    ggplot2::labs(x = "importance", y = NULL, fill = NULL, title = object$title)
}

# A bar for each feature, the first one on top, colored by kind.
gg_bars <- function(features, values, kind) {
  labels <- make.unique(cut_off(shown(features), 30))
  table <- data.frame(
    feature = factor(labels, rev(labels)), value = ifelse(is.finite(values), values, 0),
    kind = factor(kind, names(kind_colors))
  )
  ggplot2::ggplot(table, ggplot2::aes(.data$value, .data$feature, fill = .data$kind)) +
    ggplot2::geom_col(width = 0.7, colour = "grey25", linewidth = 0.3) +
    ggplot2::scale_fill_manual(values = kind_colors) +
    ggplot2::geom_vline(xintercept = 0, colour = "grey25") +
    gg_look() +
    ggplot2::theme(panel.grid.major.y = ggplot2::element_blank())
}

gg_look <- function() {
  ggplot2::theme_minimal() +
    ggplot2::theme(
      legend.position = "top", panel.grid.minor = ggplot2::element_blank(),
      plot.title.position = "plot"
    )
}

#' @rdname hetsel_autoplot
#' @exportS3Method ggplot2::autoplot
autoplot.hetsel_path <- function(object, ...) {
  gg_sizes(object$path$size, object$path$score, object$size) +
    ggplot2::labs(
      x = "size", y = "inner score", title = path_title(object),
      caption = "An inner score: rows outside the search do worse."
    )
}

# A line over the sizes, the one chosen as an open circle.
gg_sizes <- function(size, score, chosen) {
  table <- data.frame(size = size, score = score)
  table <- table[is.finite(table$score), ]
  ggplot2::ggplot(table, ggplot2::aes(.data$size, .data$score)) +
    ggplot2::geom_vline(xintercept = chosen, linetype = 2, colour = "grey40") +
    ggplot2::geom_line(colour = line_colors[1]) +
    ggplot2::geom_point(colour = line_colors[1]) +
    ggplot2::geom_point(
      data = table[table$size == chosen, ], shape = 21, fill = "white", size = 3.5,
      colour = line_colors[1]
    ) +
    gg_look()
}

#' @rdname hetsel_autoplot
#' @exportS3Method ggplot2::autoplot
autoplot.hetsel_signature <- function(object, type = c("frequency", "effects", "sizes"), top = 20,
                                      ...) {
  switch(one_word(type, "type", c("frequency", "effects", "sizes")),
    frequency = gg_frequency(object, drawn(top)),
    effects = gg_effects(object, drawn(top)),
    sizes = {
      if (!any(is.finite(inner_scores(object)))) {
        nothing_to_draw("the size was given, not chosen")
      }
      gg_sizes(object$sizes$size, inner_scores(object), object$size) +
        ggplot2::labs(
          x = "signature size", y = inner_name(object),
          title = paste("Size", object$size, "is chosen")
        )
    }
  )
}

gg_frequency <- function(x, top) {
  shares <- utils::head(x$frequency, max(top, nrow(x$features)))
  if (!nrow(shares)) {
    nothing_to_draw("features were selected in no halves of the rows (see pairs)")
  }
  chosen <- shares$feature %in% x$features$feature
  figure <- gg_bars(
    paste0(shares$feature, ifelse(chosen, " *", "")), shares$frequency,
    x$columns$kind[match(shares$feature, x$columns$name)]
  ) +
    ggplot2::labs(
      x = "share of the halves that select it", y = NULL, fill = NULL,
      title = paste("Signature (*) of size", x$size)
    )
  if (is.null(x$stable$threshold)) {
    return(figure)
  }
  figure + ggplot2::geom_vline(xintercept = x$stable$threshold, linetype = 2, colour = "grey25")
}
