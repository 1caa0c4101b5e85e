# Knits one document to Markdown in the working directory, its figures beside it. Figures are plain
# Markdown whatever the document asks of them: the page decides how they stand.
file <- normalizePath(commandArgs(trailingOnly = TRUE)[1])
name <- sub("[.]Rmd$", "", basename(file))
options(knitr.graphics.rel_path = FALSE)
knitr::render_markdown()
knitr::knit_hooks$set(plot = function(x, options) {
  words <- if (is.null(options$fig.cap)) options$fig.alt else options$fig.cap
  words <- if (is.null(words)) gsub("-", " ", options$label) else words
  paste0("\n\n![", words, "](", x, ")\n\n")
})
# absolute, since a document may copy figures that were written by others
knitr::opts_chunk$set(fig.path = file.path(getwd(), paste0(name, "_figures"), ""))
knitr::knit(file, paste0(name, ".md"), quiet = TRUE)
