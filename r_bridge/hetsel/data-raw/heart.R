# Writes data/heart.rda from the table that the Python package bundles:
#     Rscript r_bridge/hetsel/data-raw/heart.R
# from the top of the repository. The file is read here by R alone, so that a test can compare what
# the two languages have.

lines <- readLines("hetsel/datasets/heart_disease.tab")
head <- strsplit(lines[1:2], "\t")
cells <- do.call(rbind, strsplit(lines[-(1:3)], "\t"))
stopifnot(ncol(cells) == length(head[[1]]))
cells[cells == "?"] <- NA

# c is continuous and d categorical; what else stands there are the levels, their spaces escaped
column <- function(values, declared) {
  if (declared == "c") {
    return(as.double(values))
  }
  if (declared == "d") {
    return(factor(values, levels = sort(unique(values), method = "radix")))
  }
  levels <- strsplit(declared, "(?<!\\\\) ", perl = TRUE)[[1]]
  factor(values, levels = gsub("\\\\(.)", "\\1", levels))
}

heart <- Map(column, split(cells, col(cells)), head[[2]])
heart <- structure(heart, names = head[[1]], class = "data.frame", row.names = seq_along(lines[-(1:3)]))
save(heart, file = "r_bridge/hetsel/data/heart.rda", version = 2, compress = "xz")
