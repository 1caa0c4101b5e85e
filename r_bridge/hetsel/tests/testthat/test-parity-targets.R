# What takes a target takes numbers and survival times, with the numbers of Python to the last bit,
# or refuses them. The rows are as in test-parity.R.

# What takes no target, or the results of what does.
without_target <- c(
  "hetsel_available", "hetsel_compare", "hetsel_doctor", "hetsel_kernel", "hetsel_methods",
  "hetsel_report", "hetsel_stability", "install_hetsel",
  "score_hetsel" # filtro is not in Debian
)

halves_of <- list(
  call = function(t) {
    hetsel_halves(t$x, t$y, size = 2, method = "rfe-svm", pairs = 4, seed = 3, row_groups = "rows")
  },
  answer = function(r) c(r$features, list(r$halves, r$threshold, r$bound)),
  python = c(
    "machine = hetsel.RFESVM(random_state=3)",
    "halves = hetsel.selection_in_halves(machine, X, y, 2, n_pairs=4, groups='rows')",
    "frame = halves.frame()",
    "found = [frame[name].tolist() for name in ('feature', 'frequency', 'selected')]",
    "found += [halves.chosen.ravel(order='F').tolist(), halves.threshold, halves.bound]"
  )
)

permuted_of <- list(
  call = function(t) {
    hetsel_permuted(t$x, t$y, method = "rfe-svm", permutations = 9, seed = 4, row_groups = "rows")
  },
  answer = function(r) c(r$features, list(r$permuted)),
  python = c(
    "machine = hetsel.RFESVM(random_state=4)",
    "ranking = hetsel.permuted_ranking(machine, X, y, permutations=9, groups='rows')",
    "frame = ranking.frame()",
    "names = ('feature', 'rank', 'statistic', 'pvalue', 'adjusted')",
    "found = [frame[name].tolist() for name in names]",
    "found.append(ranking.permuted.ravel(order='F').tolist())"
  )
)

# A step of a recipe in which the target is one column, whatever it is.
step_of <- list(
  needs = "recipes",
  call = function(t) {
    rows <- t$x
    rows$.told <- t$y
    recipe <- recipes::recipe(rows[0, ], vars = names(rows),
      roles = c(rep("predictor", length(t$x)), "outcome")
    )
    step <- step_select_hetsel(recipe, recipes::all_predictors(), method = "rfe-svm", size = 2)
    trained <- recipes::prep(step, training = rows)
    list(kept = names(recipes::bake(trained, rows)), terms = recipes::tidy(trained, 1))
  },
  answer = function(r) list(setdiff(r$kept, ".told"), r$terms$importance[order(r$terms$rank)]),
  python = c(
    "best = hetsel.RFESVM(size=2).fit(X, y).frame()",
    "found = [[name for name in X if name in set(best['feature'][:2])]]",
    "found += [best['importance'].tolist()]"
  )
)

signatures_of <- list(
  call = function(t) signatures(hetsel_rank(t$x, t$y, method = "rfe-svm"), size = 1:2),
  answer = function(r) unname(r),
  python = c(
    "names = hetsel.RFESVM().fit(X, y).frame()['feature'].tolist()",
    "found = [names[:1], names[:2]]"
  )
)

refuses <- function(call) list(refused = call)

same <- list(
  hetsel_halves = list(halves_of),
  hetsel_permuted = list(permuted_of),
  step_select_hetsel = list(step_of),
  signatures = list(signatures_of),
  hetsel_knockoffs = list(refuses(function(t) hetsel_knockoffs(t$x, t$y, method = "variance"))),
  hetsel_svm = list(refuses(function(t) hetsel_svm(t$x, t$y))),
  hetsel_mkl = list(refuses(function(t) hetsel_mkl(t$x, t$y))),
  hetselFuncs = list(refuses(function(t) hetselFuncs$fit(t$x, t$y)))
)

of_numbers <- c(same, list(
  hetsel_rank = list(
    ranking_by("rfe-mkl", "hetsel.RFEMKL(size=2)", size = 2),
    ranking_by("rfe-svm", "hetsel.RFESVM(C=0.5)", C = 0.5),
    ranking_by("hsic", "hetsel.get_method('hsic')(scale='quantile')", scale = "quantile"),
    ranking_by("relieff", "hetsel.get_method('relieff')(random_state=7)", seed = 7)
  ),
  hetsel_search = list(list(
    call = function(t) hetsel_search(t$x, t$y, search = "sfs", criterion = "ridge", size = 2),
    answer = function(r) list(r$path$size, r$path$score, unlist(r$path$features), r$selected),
    python = c(
      "search = hetsel.SubsetSearch(search='sfs', criterion='ridge', size=2).fit(X, y)",
      "answer = search.answer_",
      "named = [[X.columns[j] for j in answer.signature(size)] for size in answer.sizes]",
      "found = [list(answer.sizes), [answer.score(size) for size in answer.sizes]]",
      "found += [[name for one in named for name in one], named[list(answer.sizes).index(2)]]"
    )
  )),
  hetsel_method = list(list(
    call = function(t) {
      largest <- hetsel_method(function(x, y, sizes) vapply(x, function(v) max(v[y > 6]), 0))
      hetsel_rank(t$x[vapply(t$x, is.numeric, NA)], t$y, method = largest)
    },
    answer = function(r) list(r$ranking$importance[order(r$ranking$feature)]),
    python = c(
      "numbers = X.select_dtypes('number')",
      "found = [[float(numbers[name][y > 6].max()) for name in sorted(numbers)]]"
    )
  ))
))

of_survival <- c(same, list(
  hetsel_rank = list(
    ranking_by("rfe-mkl", "hetsel.RFEMKL(size=2)", size = 2),
    ranking_by("rfe-svm", "hetsel.RFESVM(C=0.5)", C = 0.5)
  ),
  hetsel_method = list(list(
    call = function(t) {
      largest <- hetsel_method(function(x, y, sizes) {
        vapply(x, function(v) max(v[y[, "status"] == 1 & y[, "time"] > 200]), 0)
      })
      hetsel_rank(t$x[vapply(t$x, is.numeric, NA)], t$y, method = largest)
    },
    answer = function(r) list(r$ranking$importance[order(r$ranking$feature)]),
    python = c(
      "numbers = X.select_dtypes('number')[y['event'] & (y['time'] > 200)]",
      "found = [[float(numbers[name].max()) for name in sorted(numbers)]]"
    )
  ))
))

by_target <- list(numbers = of_numbers, survival = of_survival)
tables <- list(numbers = iris_table, survival = lung_table)

for (target in names(by_target)) {
  test_that(paste("every function that takes a target is tried with", target), {
    named <- c(names(by_target[[target]]), without_target)
    expect_setequal(named, getNamespaceExports("hetsel"))
  })
  for (name in names(by_target[[target]])) {
    test_that(paste(name, "takes", target, "as Python does, or refuses in words"), {
      skip_without_python()
      table <- tables[[target]]()
      rows <- by_target[[target]][[name]]
      for (row in Filter(function(row) !is.null(row$refused), rows)) {
        expect_error(row$refused(table), "classes", class = "hetsel_error")
      }
      expect_numbers_of_python(
        Filter(function(row) is.null(row$refused), rows), table, paste(name, target)
      )
    })
  }
}
