# What a chunk of knitr shows: what it comes to in a sentence, then a table.

#' @exportS3Method knitr::knit_print
knit_print.hetsel_ranking <- function(x, top = 20, digits = 4, ...) {
  table <- utils::head(x$ranking, top)
  table$importance <- formatC(table$importance, digits = digits, format = "g")
  chosen <- table$feature %in% x$selected
  table$feature <- paste0(in_markdown(table$feature), ifelse(chosen, " \\*", ""))
  left <- nrow(x$ranking) - nrow(table)
  knitted(x, ranking_sentence(x), table, c(
    paste0("* the signature of size ", x$size, said_of_cut(x)),
    if (left > 0) paste("... and", left, "features more"),
    x$cautions
  ))
}

#' @exportS3Method knitr::knit_print
knit_print.hetsel_signature <- function(x, digits = 2, ...) {
  table <- x$features
  table$feature <- in_markdown(table$feature)
  if (all(is.na(table$frequency))) {
    table$frequency <- NULL
  }
  knitted(x, x$sentences, for_eyes(table, digits), x$cautions)
}

#' @exportS3Method knitr::knit_print
knit_print.hetsel_study <- function(x, digits = 3, ...) {
  table <- study_table(x)
  said <- if (length(x$found)) x$found else study_heading(x)[1]
  names <- c("dataset", "method")
  table[names] <- lapply(table[names], in_markdown)
  knitted(x, said, for_eyes(table, digits), if (nrow(table)) {
    paste0("Means at the size that ", x$reference, " chooses, ", x$classifiers[1], ".")
  })
}

# The verdict comes first: what was ranked, how sure the signature is, and what is in it.
ranking_sentence <- function(x) {
  best <- paste(x$selected, collapse = ", ")
  paste0(
    "Signature of size ", x$size, said_of_cut(x), " of ", nrow(x$ranking), " features by ",
    x$method, ", ", x$rows, " rows: ", best, "."
  )
}

# Sentences, a table and notes in Markdown; where the document is none, what print() shows.
knitted <- function(x, sentences, table, notes) {
  if (isTRUE(knitr::opts_knit$get("out.format") %in% c("latex", "sweave", "listings"))) {
    return(knitr::normal_print(x))
  }
  shown <- if (nrow(table)) {
    knitr::kable(table, format = "pipe", row.names = FALSE, align = sides(table))
  }
  paragraphs <- c(rbind(in_markdown(sentences), ""), shown, "", c(rbind(in_markdown(notes), "")))
  knitr::asis_output(paste0("\n\n", paste(paragraphs, collapse = "\n"), "\n\n"))
}

sides <- function(table) {
  ifelse(vapply(table, function(column) all(grepl("^[-0-9.e+]*$", column)), NA), "r", "l")
}

# Names and sentences as plain text: nothing in them is markup. Brackets are entities, as rmarkdown
# reads a bracket after a backslash as the start of a formula.
in_markdown <- function(text) {
  text <- gsub("([\\\\`*_{}<>|#$~^&])", "\\\\\\1", shown(text))
  gsub("]", "&#93;", gsub("[", "&#91;", text, fixed = TRUE), fixed = TRUE)
}
