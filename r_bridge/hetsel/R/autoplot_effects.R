# The effects of a signature as a figure of ggplot2. All panels share one scale, so each panel has a
# range of its own on it, from 10 k to about 10 k + 1, with the ticks and labels of its feature.

gg_effects <- function(x, top) {
  features <- utils::head(x$features$feature, top)
  panels <- make.unique(cut_off(shown(features), 40))
  places <- lapply(seq_along(features), function(k) effect_places(x, features[k], k))
  pieces <- do.call(rbind, lapply(places, `[[`, "pieces"))
  pieces$panel <- factor(pieces$feature, features, panels)
  classes <- unique(pieces$class)
  lines <- pieces[!nzchar(pieces$level), ]
  bars <- pieces[nzchar(pieces$level), ]
  bars$from <- bars$from + (match(bars$class, classes) - 1) * 0.16 / length(classes)
  bars$to <- bars$from + 0.16 / length(classes)
  towards <- if (length(x$classes) == 2) paste("effect towards", shown(x$positive)) else "effect"
  ggplot2::ggplot() +
    ggplot2::geom_rect(
      ggplot2::aes(
        xmin = .data$from, xmax = .data$to, ymin = 0, ymax = .data$effect_low, fill = .data$class
      ),
      bars,
      colour = "grey25", linewidth = 0.3
    ) +
    ggplot2::geom_segment(
      ggplot2::aes(
        .data$from, .data$effect_low, xend = .data$to, yend = .data$effect_high,
        colour = .data$class
      ),
      lines,
      linewidth = 0.9
    ) +
    ggplot2::geom_hline(yintercept = 0, colour = "grey25", linewidth = 0.3) +
    ggplot2::facet_wrap("panel", scales = "free_x") +
    effect_scales(places, classes) +
    ggplot2::labs(x = NULL, y = towards, colour = NULL, fill = NULL) +
    gg_look()
}

effect_scales <- function(places, classes) {
  several <- length(classes) > 1
  colors <- if (several) rep_len(line_colors, length(classes)) else line_colors[1]
  list(
    ggplot2::scale_x_continuous(
      breaks = unlist(lapply(places, `[[`, "ticks")),
      labels = unlist(lapply(places, `[[`, "labels"))
    ),
    ggplot2::scale_colour_manual(
      values = colors, limits = classes, labels = shown(classes), aesthetics = c("colour", "fill"),
      guide = if (several) "legend" else "none"
    )
  )
}

# Where the pieces of a feature are in panel k: values from 10 k to 10 k + 1, levels a quarter
# apart, right of the values if there are some.
effect_places <- function(x, feature, k) {
  pieces <- x$effects[x$effects$feature == feature, ]
  lines <- !nzchar(pieces$level)
  levels <- unique(pieces$level[!lines])
  ticks <- numeric()
  labels <- character()
  if (any(lines)) {
    span <- range(pieces$low[lines], pieces$high[lines])
    width <- if (diff(span) > 0) diff(span) else 1
    place <- function(value) 10 * k + (value - span[1]) / width
    values <- if (is.null(x$levels[[feature]])) pretty(span, 3) else seq(span[1], span[2])
    values <- values[values >= span[1] & values <= span[2]]
    ticks <- place(values)
    labels <- cut_off(value_written(x, feature, values), 12)
    pieces$from[lines] <- place(pieces$low[lines])
    pieces$to[lines] <- place(pieces$high[lines])
  }
  at <- 10 * k + 0.25 * seq_along(levels) + if (any(lines)) 1 else 0
  pieces$from[!lines] <- at[match(pieces$level[!lines], levels)] - 0.08
  pieces$to[!lines] <- NA
  list(
    pieces = pieces, ticks = c(ticks, at), labels = c(labels, cut_off(shown(levels), 12))
  )
}
