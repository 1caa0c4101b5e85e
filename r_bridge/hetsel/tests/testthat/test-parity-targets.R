# What takes a target takes numbers and survival times, with the numbers of Python to the last bit,
# or refuses them. The rows are as in test-parity.R.

# What takes no target, or the results of what does.
without_target <- c(
  "hetsel_available", "hetsel_compare", "hetsel_doctor", "hetsel_kernel", "hetsel_merge",
  "hetsel_methods", "hetsel_points", "hetsel_report", "hetsel_stability", "install_hetsel",
  "score_hetsel" # filtro is not in Debian
)

halves_of <- list(
  call = function(t) {
    hetsel_halves(t$x, t$y, size = 2, method = "rfe-svm", pairs = 4, seed = 3, row_groups = "rows")
  },
  answer = function(r) c(r$features, list(r$half_samples, r$threshold, r$bound)),
  python = c(
    "machine = hetsel.RFESVM(random_state=3)",
    "halves = hetsel.selection_in_halves(machine, X, y, 2, pairs=4, groups='rows')",
    "frame = halves.frame()",
    "found = [frame[name].tolist() for name in ('feature', 'frequency', 'selected')]",
    "found += [halves.chosen.ravel(order='F').tolist(), halves.threshold, halves.bound]"
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

selected_of <- function(kind) {
  list(
    call = function(t) {
      r <- hetsel_select(t$x, t$y,
        method = "rfe-svm", folds = 3, repeats = 1, permutations = 39, pairs = 3, seed = 2,
        progress = FALSE
      )
      c(r, list(predicted = predict(r, t$x)))
    },
    answer = function(r) {
      c(
        r$features[c("feature", "frequency")], r$performance[c("measure", "estimate", "low", "high")],
        list(r$sizes$inner, r$predicted, r$effects$effect_high, r$permutation_test$pvalue)
      )
    },
    python = c(
      paste0("signature = hetsel.Signature('rfe-svm', target_kind='", kind, "', folds=3,"),
      "                             repeats=1, permutations=39, pairs=3, random_state=2)",
      "signature.fit(X, y)",
      "shares, facts = signature.frequencies_, plain_values(signature.facts())",
      "found = [list(signature.features_), [float(shares[f]) for f in signature.features_]]",
      "measures = facts['performance']['measures']",
      "known = lambda value: float('nan') if value is None else value",
      "names = ('label', 'estimate', 'low', 'high')",
      "found += [[known(one[name]) for one in measures] for name in names]",
      "found += [facts['sizes']['inner'], signature.predict(X).tolist()]",
      "found += [signature.effects()['effect_high'].tolist(), signature.permutation_test_.pvalue]"
    )
  )
}

study_of <- function(measure) {
  list(
    call = function(t) {
      hetsel_study(
        list(
          name = "parity", methods = c("rfe-svm", "variance"), resamplings = 10, sizes = 1:3,
          seed = 5
        ),
        new_store(), jobs = 0, data = list(own = list(x = t$x, y = t$y))
      )
    },
    answer = function(r) {
      c(
        r$scores[c("method", "size", measure)], list(r$summary[[measure]], r$summary$kuncheva),
        list(r$digest)
      )
    },
    python = c(
      "study = hetsel.Study(name='parity', datasets=[{'name': 'own', 'X': X, 'y': y}],",
      "                     methods=['rfe-svm', 'variance'], resamplings=10, sizes=[1, 2, 3],",
      "                     seed=5)",
      "results = study.run(new_file('own.sqlite'), n_jobs=0, progress=False)",
      "scores, summary = results.frame(), results.summary()",
      paste0("found = [scores[name].tolist() for name in ('method', 'size', '", measure, "')]"),
      paste0("found += [summary[name].tolist() for name in ('", measure, "', 'kuncheva')]"),
      "found += [results.digest()]"
    )
  )
}

searched_of <- function(criterion) {
  list(
    call = function(t) hetsel_search(t$x, t$y, search = "sfs", criterion = criterion, size = 2),
    answer = function(r) list(r$path$size, r$path$score, unlist(r$path$features), r$selected),
    python = c(
      paste0("search = hetsel.SubsetSearch(search='sfs', criterion='", criterion, "', size=2)"),
      "answer = search.fit(X, y).answer_",
      "named = [[X.columns[j] for j in answer.signature(size)] for size in answer.sizes]",
      "found = [list(answer.sizes), [answer.score(size) for size in answer.sizes]]",
      "found += [[name for one in named for name in one], named[list(answer.sizes).index(2)]]"
    )
  )
}

planned_of <- function(kind) {
  list(
    call = function(t) {
      hetsel_plan_rows(t$x, t$y,
        method = "rfe-svm", size = 2, folds = 3, repeats = 2, width = 0.2, row_groups = "rows",
        progress = FALSE
      )
    },
    answer = function(r) c(r$points[c("rows", "estimate")], r$band, list(r$criteria$rows, r$measure)),
    python = c(
      paste0("signature = hetsel.Signature('rfe-svm', 2, folds=3, target_kind='", kind, "')"),
      "given = {'groups': 'rows', 'repeats': 2, 'width': 0.2}",
      "facts = plain_values(hetsel.plan_rows(X, y, signature=signature, **given).facts())",
      "found = [[one[name] for one in facts['curve']['points']] for name in ('rows', 'estimate')]",
      "names = ('rows', 'estimate', 'low', 'high')",
      "found += [[one[name] for one in facts['curve']['band']] for name in names]",
      "found += [[one['rows'] for one in facts['criteria']], facts['curve']['measure']]"
    )
  )
}

validated_of <- function(kind) {
  list(
    call = function(t) {
      fit <- seq(1, nrow(t$x), 2)
      found <- hetsel_select(t$x[fit, ], t$y[fit],
        method = "rfe-svm", size = 2, folds = 3, repeats = 1, permutations = 0, pairs = 0,
        progress = FALSE
      )
      new <- seq(2, nrow(t$x), 2)
      hetsel_validate(found, t$x[new, ], t$y[new], seen = "drop", row_weights = 1 + new %% 3)
    },
    answer = function(r) {
      c(
        r$performance[c("measure", "estimate", "low", "high")],
        r$features[c("feature", "below", "above", "shift", "pvalue")],
        list(r$rows, r$left_out, r$kind, r$before$performance$estimate)
      )
    },
    python = c(
      paste0("signature = hetsel.Signature('rfe-svm', 2, target_kind='", kind, "', folds=3,"),
      "                             repeats=1, permutations=0, pairs=0).fit(X.iloc[::2], y[::2])",
      "new, rows = np.arange(2, len(y) + 1, 2), X.iloc[1::2].reset_index(drop=True)",
      "validated = hetsel.validate_signature(signature, rows, y[1::2], 1 + new % 3, seen='drop')",
      "facts = plain_values(validated)",
      "nan = lambda values: [float('nan') if one is None else one for one in values]",
      "measures = facts['performance']['measures']",
      "names = ('label', 'estimate', 'low', 'high')",
      "found = [nan(one[name] for one in measures) for name in names]",
      "names = ('feature', 'below', 'above', 'shift', 'pvalue')",
      "found += [nan(one[name] for one in facts['features']) for name in names]",
      "found += [facts['rows'], facts['left_out'], facts['kind']]",
      "before = facts['before']['performance']['measures']",
      "found += [nan(one['estimate'] for one in before)]"
    )
  )
}

refuses <- function(call) list(refused = call)

same <- list(
  hetsel_halves = list(halves_of),
  hetsel_permuted = list(permuted_of),
  step_select_hetsel = list(step_of),
  signatures = list(signatures_of),
  hetsel_knockoffs = list(refuses(function(t) hetsel_knockoffs(t$x, t$y, method = "variance"))),
  hetsel_svm = list(refuses(function(t) hetsel_svm(t$x, t$y))),
  hetsel_mkl = list(refuses(function(t) hetsel_mkl(t$x, t$y)))
)

of_numbers <- c(same, list(
  hetselFuncs = list(list(
    call = function(t) hetselFuncs$rank(hetselFuncs$fit(t$x, t$y, method = "hsic"), t$x, t$y),
    answer = function(r) list(r$var),
    python = c(
      "found = hetsel.get_method('hsic')(target_kind='numbers').fit(X, y).frame()['feature']",
      "found = [found.tolist()]"
    )
  )),
  hetsel_select = list(selected_of("numbers")),
  hetsel_plan_rows = list(planned_of("numbers")),
  hetsel_validate = list(validated_of("numbers")),
  hetsel_study = list(study_of("r2")),
  hetsel_rank = rankings_of,
  hetsel_search = list(searched_of("ridge"), searched_of("5nn")),
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
  hetselFuncs = list(refuses(function(t) hetselFuncs$fit(t$x, t$y))),
  hetsel_select = list(selected_of("survival")),
  hetsel_plan_rows = list(planned_of("survival")),
  hetsel_validate = list(validated_of("survival")),
  hetsel_study = list(study_of("concordance")),
  hetsel_search = list(searched_of("ridge"), searched_of("5nn")),
  hetsel_rank = rankings_of,
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
