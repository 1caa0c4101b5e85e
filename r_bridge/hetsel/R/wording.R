# How names and values are printed and drawn.

# What has no shape, or changes what stands beside it: control characters, marks of the direction of
# writing, separators of lines, and what is no character. As hetsel.ground.text.visible() in Python.
shapeless <- c(
  0x00:0x1f, 0x7f:0x9f, 0x61c, 0x200b, 0x200e, 0x200f, 0x2028:0x202e, 0x2066:0x2069, 0xfeff,
  0xfdd0:0xfdef, 0xfffe, 0xffff
)

# Names with an escape in place of each shapeless character, in quotes where they are blank.
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

# Names that end in dots where they are longer than `most` characters.
cut_off <- function(names, most) {
  ifelse(nchar(names) > most, paste0(substr(names, 1, most - 1), "..."), names)
}

# A value as an error says it.
got <- function(value) {
  if (is.null(value) || is.atomic(value) && !is.object(value)) {
    return(paste(". Got", cut_off(deparse1(value), 40)))
  }
  paste(". Got an object of class", class(value)[1])
}

# A result that prints more of itself.
as_summary <- function(x) {
  structure(unclass(x), class = paste0("summary.", utils::tail(class(x), 1)))
}

`%||%` <- function(x, y) if (is.null(x)) y else x
