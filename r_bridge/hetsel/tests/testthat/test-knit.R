skip_if_not_installed("knitr")
skip_without_python()

test_that("intervals keep their brackets, which are not the start of a formula", {
  text <- as.character(knitr::knit_print(signed()))
  expect_match(text, "&#91;0.", fixed = TRUE)
  expect_false(grepl("\\[", text, fixed = TRUE))
})

test_that("a result is knitted as a sentence and a table", {
  for (result in list(ranked(), signed(), compared())) {
    text <- knitr::knit_print(result)
    expect_s3_class(text, "knit_asis")
    lines <- strsplit(text, "\n")[[1]]
    first <- lines[nzchar(lines)][1]
    expect_false(startsWith(first, "|"))
    expect_true(any(startsWith(lines, "|:") | startsWith(lines, "|-")))
  }
  expect_match(knitr::knit_print(ranked()), "Signature of size 2 (proved)", fixed = TRUE)
  expect_match(sub("^\\s*", "", knitr::knit_print(signed())), "^(Better|Not)")
})

test_that("names are text and not markup", {
  table <- data.frame(a = c(1:9, 3), b = rep(1:5, 2))
  names(table) <- c("<script>x</script>", "a|b *c* `d`")
  text <- knitr::knit_print(hetsel_rank(table, rep(c("u", "v"), 5), size = 2))
  expect_false(grepl("<script>", text, fixed = TRUE))
  expect_match(text, "a\\|b \\*c\\* \\`d\\`", fixed = TRUE)
})

test_that("a document shows results in place", {
  folder <- tempfile()
  dir.create(folder)
  here <- setwd(folder)
  on.exit(setwd(here))
  writeLines(c("```{r}", "result", "```"), "page.Rmd")
  page <- knitr::knit("page.Rmd", quiet = TRUE, envir = list2env(list(result = ranked())))
  expect_true(any(grepl("^\\|.*spontaneous", readLines(page))))
})
