# The figures of plot() with ggplot2. `.data` is its pronoun for a column of the table.
utils::globalVariables(".data")

#' Plot Results with ggplot2
#'
#' @description Draw the figures of \code{\link[=plot.hetsel_ranking]{plot}} with \pkg{ggplot2}, so
#' that they can be modified. \code{fortify} returns the table for a figure of your own.
#' @param object,model Result of \code{\link{hetsel_rank}}, \code{\link{hetsel_search}},
#'   \code{\link{hetsel_select}}, \code{\link{hetsel_validate}}, \code{\link{hetsel_plan_rows}} or
#'   \code{\link{hetsel_study}}.
#' @param top Number of features to draw.
#' @param type What to draw. For a signature, a validation or a plan as in
#'   \code{\link{plot.hetsel_signature}}, \code{\link{plot.hetsel_validation}} or
#'   \code{\link{plot.hetsel_row_plan}}. For a study \code{"curves"} of a measure over the size, one
#'   panel per data set, or \code{"ranks"}, a critical-difference diagram of the mean
#'   ranks over the data sets.
#' @param measure Of a study, as in \code{\link{plot.hetsel_study}}; for \code{"ranks"} the score or
#'   \code{"ki"}, Kuncheva's index.
#' @param analysis For \code{"ranks"}, one of the analyses in \code{object$ranks}.
#' @param class As in \code{\link{plot.hetsel_validation}}.
#' @param classifier The judge (final classifier) of the curves.
#' @param data,... Ignored.
#' @details In a critical-difference diagram, methods further left have a better mean rank. A bar
#' joins methods that do not differ significantly by Nemenyi's test at level 0.05. If Friedman's
#' permutation test is not significant, a bar joins all methods.
#' @return A figure of class \code{ggplot}; \code{fortify} a data frame.
#' @seealso \code{\link{hetsel_tidiers}}, \code{\link{hetsel_compare}}
#' @examplesIf hetsel_available() && requireNamespace("ggplot2", quietly = TRUE)
#' ranking <- hetsel_rank(case ~ ., infert[c("age", "parity", "education", "case")])
#' ggplot2::autoplot(ranking)
#' @eval methods_of(`ggplot2::autoplot` = drawn_classes, `ggplot2::fortify` = drawn_classes)
#' @name hetsel_autoplot
NULL

autoplot.hetsel_ranking <- function(object, top = 20, ...) {
  best <- utils::head(object$ranking, drawn(top))
  gg_bars(best$importance, shown(best$feature), best$kind, object$title, "importance")
}

# As draw_bars().
gg_bars <- function(values, labels, kind, main, xlab, marks = NULL) {
  labels <- make.unique(cut_off(labels, 30))
  table <- data.frame(
    feature = factor(labels, rev(labels)), value = ifelse(is.finite(values), values, 0),
    kind = factor(kind, names(kind_colors))
  )
  ggplot2::ggplot(table, ggplot2::aes(.data$value, .data$feature, fill = .data$kind)) +
    ggplot2::geom_col(width = 0.7, colour = "grey25", linewidth = 0.3) +
    ggplot2::scale_fill_manual(values = kind_colors) +
    ggplot2::geom_vline(xintercept = 0, colour = "grey25") +
    gg_look(panel.grid.major.y = ggplot2::element_blank()) +
    ggplot2::labs(x = xlab, y = NULL, title = main) +
    if (!is.null(marks)) ggplot2::geom_vline(xintercept = marks, linetype = 2, colour = "grey25")
}

gg_look <- function(...) {
  ggplot2::theme_minimal() +
    ggplot2::theme(
      legend.position = "top", legend.title = ggplot2::element_blank(),
      panel.grid.minor = ggplot2::element_blank(), plot.title.position = "plot", ...
    )
}

autoplot.hetsel_path <- function(object, ...) {
  path <- object$path[is.finite(object$path$score), ]
  gg_line(path$size, path$score, object$size) +
    ggplot2::labs(
      x = "size", y = "inner score", title = path_title(object),
      caption = "The search maximized the inner score, so performance on new rows is lower."
    )
}

# As draw_line().
gg_line <- function(size, score, chosen) {
  table <- data.frame(size = size, score = score)
  color <- line_colors[1]
  ggplot2::ggplot(table, ggplot2::aes(.data$size, .data$score)) +
    ggplot2::geom_vline(xintercept = chosen, linetype = 2, colour = "grey40") +
    ggplot2::geom_line(colour = color) +
    ggplot2::geom_point(colour = color) +
    ggplot2::geom_point(
      data = table[size == chosen, ], shape = 21, fill = "white", size = 3.5, colour = color
    ) +
    gg_look()
}

autoplot.hetsel_signature <- function(object, type = c(
                                        "frequency", "effects", "sizes", "performance",
                                        "calibration", "decision"
                                      ), top = 20, class = NULL, ...) {
  type <- one_word(type, "type", signature_figures)
  switch(type,
    frequency = {
      bars <- frequency_bars(object, drawn(top))
      gg_bars(
        bars$shares$frequency, bars$labels, bars$kind, bars$main, bars$xlab,
        marks = object$stable$threshold
      )
    },
    effects = gg_effects(object, drawn(top)),
    sizes = {
      curve <- size_curve(object)
      gg_line(curve$sizes$size, curve$score, object$size) +
        ggplot2::labs(x = "signature size", y = curve$ylab, title = curve$main)
    },
    gg_figure(judged_figure(object, type, class))
  )
}

# All panels share one scale, on which feature k has the range from 10 k to about 10 k + 1.
gg_effects <- function(x, top) {
  effects <- effects_drawn(x, top, step = 0.25, width = 0.16, ticks = 3)
  names <- make.unique(cut_off(vapply(effects$panels, `[[`, "", "feature"), 40))
  by <- 10 * seq_along(names)
  pieces <- do.call(rbind, Map(function(panel, name, by) {
    own <- panel$pieces
    data.frame(
      panel = factor(name, names), from = own$from + by, to = own$to + by, low = own$effect_low,
      high = own$effect_high, own[c("class", "level")]
    )
  }, effects$panels, names, by))
  ticks <- Map(function(panel, by) by + c(panel$ticks, panel$at), effects$panels, by)
  several <- length(effects$classes) > 1
  aes <- ggplot2::aes
  ggplot2::ggplot() +
    ggplot2::geom_rect(
      aes(xmin = .data$from, xmax = .data$to, ymin = 0, ymax = .data$low, fill = .data$class),
      pieces[nzchar(pieces$level), ], colour = "grey25", linewidth = 0.3
    ) +
    ggplot2::geom_segment(
      aes(.data$from, .data$low, xend = .data$to, yend = .data$high, colour = .data$class),
      pieces[!nzchar(pieces$level), ], linewidth = 0.9
    ) +
    ggplot2::geom_hline(yintercept = 0, colour = "grey25", linewidth = 0.3) +
    ggplot2::facet_wrap("panel", scales = "free_x") +
    ggplot2::scale_x_continuous(
      breaks = unlist(ticks), labels = unlist(lapply(effects$panels, `[`, c("labels", "levels")))
    ) +
    ggplot2::scale_colour_manual(
      values = effects$colors, limits = effects$classes, labels = shown(effects$classes),
      aesthetics = c("colour", "fill"), guide = if (several) "legend" else "none"
    ) +
    ggplot2::labs(x = NULL, y = effects$ylab) +
    gg_look()
}

fortify.hetsel_ranking <- fortify.hetsel_path <- fortify.hetsel_signature <-
  fortify.hetsel_study <- fortify.hetsel_validation <- fortify.hetsel_row_plan <-
  function(model, data, ...) as.data.frame(model)
