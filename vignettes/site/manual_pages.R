# The manual pages of a folder as HTML, NAME.Rd as NAME.html in the working directory; links between
# them lead to NAME.html, links into other packages are known to R alone.
options(help.htmlmath = "")
files <- Sys.glob(file.path(commandArgs(trailingOnly = TRUE)[1], "*.Rd"))
pages <- lapply(files, tools::parse_Rd)
names(pages) <- sub("[.]Rd$", "", basename(files))
own <- unlist(lapply(names(pages), function(name) {
  aliases <- Filter(function(part) attr(part, "Rd_tag") == "\\alias", pages[[name]])
  topics <- vapply(aliases, function(part) trimws(paste(unlist(part), collapse = "")), "")
  stats::setNames(rep(paste0(name, ".html"), length(topics)), topics)
}))
links <- c(own, tools::findHTMLlinks())
for (name in names(pages)) {
  tools::Rd2HTML(pages[[name]], paste0(name, ".html"), Links = links)
}
