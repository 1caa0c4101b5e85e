# A signature, a ranking, a search and a study of R's own table, each computed once for all tests.
computed <- new.env()

once <- function(name, code) {
  if (is.null(computed[[name]])) {
    computed[[name]] <- code
  }
  computed[[name]]
}

women <- function() {
  table <- infert[c("age", "parity", "education", "spontaneous", "induced", "case")]
  table$case <- table$case == 1
  table
}

ranked <- function() once("ranking", hetsel_rank(case ~ ., women(), size = 2))

searched <- function() once("path", hetsel_search(case ~ ., women(), search = "sfs"))

signed <- function() {
  once("signature", hetsel_select(
    case ~ ., women(), method = "rfe-svm", size = "one-se", folds = 3, repeats = 1,
    permutations = 39, pairs = 10
  ))
}

flowers <- function() {
  once("flowers", hetsel_select(
    Species ~ ., iris, size = 2, folds = 3, repeats = 1, permutations = 0, pairs = 0
  ))
}

# Four tables of which the first column tells the classes.
compared <- function() {
  once("study", {
    tables <- lapply(1:4, function(number) {
      k <- 0:59
      x <- data.frame(
        dose = sin(k * number) + 2 * (k %% 2),
        site = factor(c("hip", "knee")[1 + (k + number) %% 2]),
        stage = factor(c("low", "mid", "high")[1 + (k * number) %% 3]), age = cos(k + number)
      )
      list(x = x, y = k %% 2 == 0)
    })
    hetsel_study(
      list(
        name = "four", methods = c("rfe-svm", "hsic", "variance"), resamplings = 4, sizes = 1:3,
        seed = 1
      ),
      store = new_store(), jobs = 0, data = stats::setNames(tables, paste0("t", 1:4))
    )
  })
}
