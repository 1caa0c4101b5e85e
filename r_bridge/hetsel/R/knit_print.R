#' @exportS3Method knitr::knit_print
knit_print.hetsel_ranking <- function(x, top = 20, digits = 4, ...) {
  table <- utils::head(x$ranking, top)
  table$importance <- formatC(table$importance, digits = digits, format = "g")
  chosen <- table$feature %in% x$selected
  table$feature <- paste0(in_markdown(table$feature), ifelse(chosen, " \\*", ""))
  left <- nrow(x$ranking) - nrow(table)
  of_size <- paste0("of size ", x$size, said_of_cut(x))
  said <- paste0(
    "Signature ", of_size, " out of ", counted(nrow(x$ranking), "feature"), " by ", x$method, ", ",
    counted(x$rows, "row"), ": ", toString(x$selected), "."
  )
  more <- if (left > 0) paste("... and", sub(" ", " more ", counted(left, "feature")))
  knitted(x, said, table, c(paste("* signature", of_size), more, x$cautions))
}

#' @exportS3Method knitr::knit_print
knit_print.hetsel_signature <- function(x, digits = 2, ...) {
  table <- x$features
  table$feature <- in_markdown(table$feature)
  table$frequency <- if (!all(is.na(table$frequency))) table$frequency
  knitted(x, x$sentences, for_eyes(table, digits), x$cautions)
}

#' @exportS3Method knitr::knit_print
knit_print.hetsel_study <- function(x, digits = 3, ...) {
  table <- study_table(x)
  said <- if (length(x$found)) x$found else study_heading(x)[1]
  names <- c("dataset", "method")
  table[names] <- lapply(table[names], in_markdown)
  knitted(x, said, for_eyes(table, digits), if (nrow(table)) {
    paste0("Means at the size chosen by ", x$reference, ", judge ", x$classifiers[1], ".")
  })
}

# Sentences, a table and notes in Markdown; in other documents the output of print().
knitted <- function(x, sentences, table, notes) {
  if (isTRUE(knitr::opts_knit$get("out.format") %in% c("latex", "sweave", "listings"))) {
    return(knitr::normal_print(x))
  }
  right <- vapply(table, function(column) all(grepl("^[-0-9.e+]*$", column)), NA)
  shown <- if (nrow(table)) {
    knitr::kable(table, "pipe", row.names = FALSE, align = ifelse(right, "r", "l"))
  }
  paragraphs <- c(rbind(in_markdown(sentences), ""), shown, "", c(rbind(in_markdown(notes), "")))
  knitr::asis_output(paste0("\n\n", paste(paragraphs, collapse = "\n"), "\n\n"))
}

# Escape markup. Brackets become entities: rmarkdown reads a bracket after a backslash as a formula.
in_markdown <- function(text) {
  text <- gsub("([\\\\`*_{}<>|#$~^&])", "\\\\\\1", shown(text))
  gsub("]", "&#93;", gsub("[", "&#91;", text, fixed = TRUE), fixed = TRUE)
}
