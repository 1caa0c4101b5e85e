# Control characters, marks of direction, separators of lines: as hetsel.ground.text.visible().
shapeless <- c(
  0x00:0x1f, 0x7f:0x9f, 0x61c, 0x200b, 0x200e, 0x200f, 0x2028:0x202e, 0x2066:0x2069, 0xfeff,
  0xfdd0:0xfdef, 0xfffe, 0xffff
)

# Names with each shapeless character escaped, and quoted where they are blank.
shown <- function(names) {
  vapply(enc2utf8(as.character(names)), function(name) {
    codes <- utf8ToInt(name)
    if (any(codes %in% shapeless)) {
      parts <- strsplit(name, "")[[1]]
      escaped <- codes %in% shapeless
      short <- ifelse(codes[escaped] < 256, "\\x%02x", "\\u%04x")
      parts[escaped] <- sprintf(short, codes[escaped])
      name <- paste(parts, collapse = "")
    }
    if (is.na(name) || grepl("[^ ]", name)) name else paste0("'", name, "'")
  }, "", USE.NAMES = FALSE)
}

# Shorten names of more than `most` characters in the middle: long names often differ at their end.
cut_off <- function(names, most) {
  size <- nchar(names)
  kept <- c(ceiling((most - 3) / 2), floor((most - 3) / 2))
  short <- paste0(substr(names, 1, kept[1]), "...", substr(names, size - kept[2] + 1, size))
  ifelse(size > most, short, names)
}

# A count with its noun: counted(1, "row") is "1 row".
counted <- function(n, noun, plural = paste0(noun, "s")) {
  paste(format(n, big.mark = ",", scientific = FALSE), if (n == 1) noun else plural)
}

# The end of an error that shows a value.
got <- function(value) {
  plain <- is.null(value) || is.atomic(value) && !is.object(value)
  class <- paste("an object of class", class(value)[1])
  paste(". Got", if (plain) cut_off(deparse1(value), 40) else class)
}

# Print text in lines of the width of the screen.
print_lines <- function(text, indent = 0) {
  writeLines(strwrap(text, indent = indent, exdent = indent + 2))
}

# Print the first rows of a table, and how many of `every` follow.
print_table <- function(table, top = nrow(table), every = nrow(table), of = "feature", ...) {
  print(utils::head(table, top), row.names = FALSE, right = FALSE, ...)
  left <- every - min(top, nrow(table))
  if (left > 0) cat("... and ", sub(" ", " more ", counted(left, of)), "\n", sep = "")
}

# Print a table of features, the first of `every`.
print_features <- function(table, every = nrow(table)) {
  table$feature <- cut_off(shown(table$feature), 60)
  print_table(table, every = every)
}

# Print a table under its title, unless it is empty.
print_part <- function(title, table, top = 40) {
  if (!nrow(table)) {
    return(invisible())
  }
  cat("\n", title, ":\n", sep = "")
  names <- vapply(table, is.character, NA)
  table[names] <- lapply(table[names], function(column) {
    ifelse(nzchar(column), cut_off(shown(column), 60), "")
  })
  print_table(table, top, of = "row")
}

# Mark a result so that it prints in more detail.
summary.hetsel_ranking <- summary.hetsel_path <- summary.hetsel_signature <-
  summary.hetsel_study <- summary.hetsel_judged <- summary.hetsel_machine <-
  summary.hetsel_validation <- function(object, ...) {
    structure(unclass(object), class = paste0("summary.", utils::tail(class(object), 1)))
  }

`%||%` <- function(x, y) if (is.null(x)) y else x
