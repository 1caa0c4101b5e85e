# Every exported function against the same call in Python, to the last bit. A row of the table below
# has the call in R, the vectors of its answer, and what a user of Python writes for the same; X and
# y are the table there. What has no numbers says why.

without_numbers <- c(
  hetsel_available = "TRUE where hetsel can be used",
  hetsel_doctor = "what is installed here",
  hetsel_merge = "test-merge.R holds the digest of merged parts to that of one run",
  install_hetsel = "makes an environment of Python",
  score_hetsel = "filtro is not in Debian: in a campaign its scores are held to those of a ranking"
)

machine_of <- function(call, class) {
  list(
    call = function(t) c(call(t), list(decision = predict(call(t), t$x, "decision"))),
    answer = function(r) {
      nominal <- r$effects[nzchar(r$effects$level), ]
      list(
        r$features$weight, r$intercept, r$dual, r$decision, r$gap, r$trace$objective,
        nominal$level, nominal$effect_low
      )
    },
    python = c(
      paste0("machine = hetsel.", class, ".fit(X, y)"),
      "found = [machine.weights_.tolist(), machine.intercept_.tolist()]",
      "found += [machine.dual_coef_[0].tolist(), machine.decision_function(X).tolist()]",
      "found += [getattr(machine, 'gap_', [])]",
      "found += [[objective for objective, _ in getattr(machine, 'trace_', [])]]",
      "curves = [one for one in machine.effect_curves() if one.kind == 'nominal']",
      "found += [[level for one in curves for level in one.knots.tolist()]]",
      "found += [[value for one in curves for value in one.values[0].tolist()]]"
    )
  )
}

study_plan <- list(
  name = "parity", methods = c("hsic", "variance"), resamplings = 10, sizes = c(1, 2, 3), seed = 5
)

study_in_r <- function(t) {
  hetsel_study(study_plan, new_store(), jobs = 0, data = list(own = list(x = t$x, y = t$y)))
}

study_to_run <- c(
  "study = hetsel.Study(name='parity', datasets=[{'name': 'own', 'X': X, 'y': y}],",
  "                     methods=['hsic', 'variance'], resamplings=10, sizes=[1, 2, 3], seed=5)"
)

study_in_python <- c(
  study_to_run,
  "store = new_file('own.sqlite')",
  "results = study.run(store, n_jobs=0, progress=False)"
)

# A signature with all that is asked of its probabilities; the parts are those of the first numbers.
first_numbers <- function(t) names(Filter(is.numeric, t$x))[1]

judged_in_r <- function(t, ...) {
  hetsel_select(t$x, t$y,
    method = "rfe-svm", size = 2, folds = 3, repeats = 1, permutations = 0, pairs = 6, seed = 3,
    progress = FALSE, ...
  )
}

judged_in_python <- function(more = "") {
  c(
    "signature = hetsel.Signature('rfe-svm', 2, folds=3, repeats=1, permutations=0, pairs=6,",
    paste0("                             random_state=3", more, ")")
  )
}

values_of <- function(p) {
  c(
    list(unlist(p$brier), unlist(p$scaled_brier)),
    p$calibration[c("intercept", "slope", "slope_low", "likelihood_slope", "ici")],
    p$curve[c("observed", "low", "high")], p$decision[c("model", "low", "over_better_low")],
    p$thresholds[c("threshold", "sensitivity", "specificity_low", "positive_predictive_value")],
    p$thresholds[c("net_benefit", "net_benefit_low")], list(p$histogram$own),
    p$parts[c("level", "rows", "auc", "auc_low", "brier_high", "sensitivity")]
  )
}

values_in_python <- c( # of the facts of probabilities, `told`
  "ends = ('estimate', 'low', 'high')",
  "nan = lambda values: [float('nan') if one is None else one for one in values]",
  "of, curve, at = told['classes'][0], told['classes'][0]['curve'], told['classes'][0]['at']",
  "net, parts = of['decision'], told['by']",
  "found = [nan(told[name][end] for end in ends) for name in ('brier', 'scaled_brier')]",
  "found += [of['intercept']['estimate'], of['slope']['estimate'], of['slope']['low']]",
  "found += [of['likelihood_slope'], curve['ici']]",
  "found += [nan(curve[name]) for name in ('observed', 'low', 'high')]",
  "found += [nan(net[name]) for name in ('model', 'low', 'over_better_low')]",
  "found += [[one['threshold'] for one in at], nan(one['sensitivity']['estimate'] for one in at)]",
  "found += [nan(one['specificity']['low'] for one in at)]",
  "found += [nan(one['positive_predictive_value']['estimate'] for one in at)]",
  "found += [nan(one['net_benefit'][end] for one in at) for end in ('estimate', 'low')]",
  "found += [of['histogram']['own'], [one['level'] for one in parts]]",
  "found += [[one['rows'] for one in parts], nan(one['auc']['estimate'] for one in parts)]",
  "found += [nan(one['auc']['low'] for one in parts), nan(one['brier']['high'] for one in parts)]",
  "found += [nan(one['sensitivity']['estimate'] for one in parts)]"
)

parity <- list(
  hetsel_rank = c(rankings_of, list(
    ranking_by("random-forest", "hetsel.get_method('random-forest')(n_estimators=20)",
      n_estimators = 20
    )
  )),
  hetsel_search = list(list(
    call = function(t) hetsel_search(t$x, t$y, search = "sfs", size = 3, folds = 3, ties = 0.01),
    answer = function(r) {
      list(r$path$size, r$path$score, unlist(r$path$features), r$selected, r$evaluations)
    },
    python = c(
      "search = hetsel.SubsetSearch(search='sfs', size=3, folds=3, ties=0.01).fit(X, y)",
      "answer = search.answer_",
      "named = [[X.columns[j] for j in answer.signature(size)] for size in answer.sizes]",
      "found = [list(answer.sizes), [answer.score(size) for size in answer.sizes]]",
      "found += [[name for one in named for name in one], named[list(answer.sizes).index(3)]]",
      "found += [len(answer.evaluated)]"
    )
  )),
  hetsel_select = list(list(
    call = function(t) {
      r <- hetsel_select(t$x, t$y, method = "hsic", folds = 3, repeats = 1, permutations = 39,
        pairs = 5, seed = 2, progress = FALSE
      )
      c(r, list(decision = predict(r, t$x, "decision")))
    },
    answer = function(r) {
      c(
        r$features[c("feature", "frequency")], r$performance[1, c("estimate", "low", "high")],
        list(r$frequency$frequency, r$decision, r$effects$effect_high, r$permutation_test$pvalue)
      )
    },
    python = c(
      "signature = hetsel.Signature('hsic', folds=3, repeats=1, permutations=39, pairs=5,",
      "                             random_state=2).fit(X, y)",
      "shares, bcr = signature.frequencies_, signature.performance_['bcr']",
      "found = [list(signature.features_), [float(shares[f]) for f in signature.features_]]",
      "found += [bcr.estimate, bcr.low, bcr.high, [float(share) for share in shares]]",
      "found += [signature.decision_function(X).tolist()]",
      "found += [signature.effects()['effect_high'].tolist(), signature.permutation_test_.pvalue]"
    )
  ), list( # probabilities, and what they are worth; predicted by Python and by the shell
    call = function(t) {
      r <- judged_in_r(t,
        prevalence = stats::setNames(c(0.7, 0.3), levels(factor(t$y))), thresholds = c(0.2, 0.5),
        harm_ratio = 4, by = first_numbers(t)
      )
      c(r, list(p = predict(r, t$x, "prob")))
    },
    answer = function(r) {
      moved <- r$probabilities$prediction_instability
      c(
        values_of(r$probabilities),
        list(as.vector(r$p), unname(r$p[, 2]), moved$median, moved$disagreement$proportion, moved$example_rows$low)
      )
    },
    python = c(
      judged_in_python(", prevalence=0.3, thresholds=[0.2, 0.5], harm_ratio=4"),
      "signature.fit(X, y, by=X.select_dtypes('number').columns[0])",
      "told = plain_values(signature.probabilities_)",
      values_in_python,
      "found += [signature.predict_proba(X).ravel(order='F').tolist()]",
      "import contextlib, io, json",
      "from hetsel.shell.main import main",
      "signature.save(new_file('signature.json'))",
      "X.to_csv(new_file('rows.csv'), index=False)",
      "said = io.StringIO()",
      "with contextlib.redirect_stdout(said):",
      "    main(['predict', new_file('signature.json'), new_file('rows.csv'), '--json'])",
      "name = f'probability {signature.classes_[1]}'",
      "found += [[row[name] for row in json.loads(said.getvalue())['rows']]]",
      "moved = told['prediction_instability']",
      "found += [moved['median'], [one['proportion'] for one in moved['disagreement']]]",
      "found += [[one[1] for one in moved['example_rows']]]"
    )
  ), list( # of several methods the best
    call = function(t) {
      hetsel_select(t$x, t$y,
        method = c("hsic", "rfe-svm"), size = 2, folds = 3, repeats = 1, permutations = 0,
        pairs = 0, seed = 3, progress = FALSE
      )
    },
    answer = function(r) c(r$methods, r$features["feature"], list(r$method, r$performance$estimate[1])),
    python = c(
      "signature = hetsel.Signature(['hsic', 'rfe-svm'], 2, folds=3, repeats=1, permutations=0,",
      "                             pairs=0, random_state=3).fit(X, y)",
      "one = signature.methods_",
      "found = [list(one.keys), list(one.nested), list(one.means), list(signature.features_)]",
      "found += [signature.method_.key, signature.performance_['bcr'].estimate]"
    )
  )),
  hetsel_points = list(list(
    call = function(t) hetsel_points(judged_in_r(t)),
    answer = function(r) {
      c(
        r$values[c("feature", "points", "effect", "rows")],
        r$totals[c("low", "high", "probability_low", "probability_high", "rows")],
        r$cost[c("model", "points", "difference", "standard_error")], list(r$unit, r$constant, r$cut)
      )
    },
    python = c(
      judged_in_python(),
      "values, facts = signature.fit(X, y).points(), plain_values(signature.points_.facts())",
      "found = [values[name].tolist() for name in ('feature', 'points', 'effect', 'rows')]",
      "names = ('low', 'high', 'probability_low', 'probability_high', 'rows')",
      "found += [[one[name] for one in facts['totals']] for name in names]",
      "names = ('model', 'points', 'difference', 'standard_error')",
      "found += [[one[name] for one in facts['cost']] for name in names]",
      "found += [facts['unit'], facts['constant'], facts['cut']]"
    )
  )),
  hetsel_validate = list(list(
    call = function(t) {
      n <- length(t$y)
      fit <- seq(1, n, 2)
      new <- seq(2, n, 2)
      r <- judged_in_r(list(x = t$x[fit, ], y = t$y[fit]))
      hetsel_validate(r, t$x[new, ], t$y[new],
        by = first_numbers(t), seen = "drop", row_groups = (new - 2) %/% 6, prevalence = 0.3,
        row_weights = 1 + new %% 3, thresholds = c(0.2, 0.5), harm_ratio = 4
      )
    },
    answer = function(r) {
      c(
        values_of(r$probabilities), r$performance[c("estimate", "low", "high")],
        r$features[c("feature", "missing", "unseen", "below", "above", "shift", "pvalue")],
        list(r$rows, r$left_out, r$before$performance$estimate[1])
      )
    },
    python = c(
      judged_in_python(),
      "signature.fit(X.iloc[::2], y[::2])",
      "new = np.arange(2, len(y) + 1, 2)",
      "found = hetsel.validate_signature(signature, X.iloc[1::2].reset_index(drop=True), y[1::2],",
      "                                  1 + new % 3, groups=(new - 2) // 6, prevalence=0.3,",
      "                                  by=X.select_dtypes('number').columns[0], seen='drop',",
      "                                  thresholds=[0.2, 0.5], harm_ratio=4)",
      "facts = plain_values(found)",
      "told, good = facts['probabilities'], facts['performance']",
      values_in_python,
      "found += [nan(one[end] for one in good['measures']) for end in ends]",
      "names = ('feature', 'missing', 'unseen', 'below', 'above', 'shift', 'pvalue')",
      "found += [nan(one[name] for one in facts['features']) for name in names]",
      "found += [facts['rows'], facts['left_out'], signature.performance_['bcr'].estimate]"
    )
  )),
  hetsel_plan_rows = list(
    list(
      call = function(t) {
        hetsel_plan_rows(candidates = 24, prevalence = 0.174, c_statistic = 0.89, width = 0.1)
      },
      answer = function(r) {
        c(r$criteria[c("purpose", "asks", "rows", "events")], list(r$rows, r$expected$r2))
      },
      python = c(
        "plan = hetsel.plan_rows(candidates=24, prevalence=0.174, c_statistic=0.89, width=0.1)",
        "facts, names = plain_values(plan.facts()), ('purpose', 'asks', 'rows', 'events')",
        "found = [[one[name] for one in facts['criteria']] for name in names]",
        "found += [plan.rows, facts['expected']['r2']]"
      )
    ),
    list(
      call = function(t) {
        hetsel_plan_rows(t$x, t$y, method = "hsic", size = 2, folds = 3, repeats = 2, seed = 4,
          find_effect = 0.5, plantings = 3, row_groups = "rows", progress = FALSE
        )
      },
      answer = function(r) {
        c(r$points[c("rows", "estimate")], r$band, r$found[c("rows", "proportion")], list(r$criteria$rows))
      },
      python = c(
        "signature = hetsel.Signature('hsic', 2, folds=3, random_state=4)",
        "plan = hetsel.plan_rows(X, y, signature=signature, groups='rows', repeats=2,",
        "                        find_effect=0.5, plantings=3)",
        "facts = plain_values(plan.facts())",
        "found = [[one[name] for one in facts['curve']['points']] for name in ('rows', 'estimate')]",
        "names = ('rows', 'estimate', 'low', 'high')",
        "found += [[one[name] for one in facts['curve']['band']] for name in names]",
        "found += [[one[name] for one in facts['found']] for name in ('rows', 'proportion')]",
        "found += [[one['rows'] for one in facts['criteria']]]"
      )
    )
  ),
  hetsel_halves = list(list(
    call = function(t) hetsel_halves(t$x, t$y, size = 2, method = "hsic", pairs = 6, seed = 3,
      row_groups = "rows"
    ),
    answer = function(r) {
      c(r$features, list(r$half_samples, r$threshold, r$bound, r$selected, r$kept))
    },
    python = c(
      "hsic = hetsel.get_method('hsic')(random_state=3)",
      "halves = hetsel.selection_in_halves(hsic, X, y, 2, pairs=6, groups='rows')",
      "frame = halves.frame()",
      "found = [frame[name].tolist() for name in ('feature', 'frequency', 'selected')]",
      "found += [halves.chosen.ravel(order='F').tolist(), halves.threshold, halves.bound]",
      "found += [[halves.names[j] for j in part] for part in (halves.selected, halves.kept)]"
    )
  )),
  hetsel_permuted = list(permuted_of),
  hetsel_knockoffs = list(list(
    call = function(t) {
      rows <- !duplicated(t$x)
      hetsel_knockoffs(t$x[rows, ], t$y[rows], method = "hsic", repeats = 2, fdr = 0.5,
        check = FALSE, seed = 6
      )
    },
    answer = function(r) c(r$features, list(r$W, r$thresholds, r$selected)),
    python = c(
      "rows = ~X.astype(object).duplicated().to_numpy()",
      "hsic = hetsel.get_method('hsic')(random_state=6)",
      "won = hetsel.knockoff_selection(hsic, X[rows], y[rows], repeats=2, fdr=0.5, check=False)",
      "frame = won.frame()",
      "found = [frame[name].tolist() for name in ('feature', 'W', 'evalue', 'selected')]",
      "found += [won.W.ravel(order='F').tolist(), won.thresholds.tolist()]",
      "found.append([won.names[j] for j in won.selected])"
    )
  )),
  hetsel_svm = list(machine_of(
    function(t) hetsel_svm(t$x, t$y, C = 3, class_weight = "balanced"),
    "ClinicalSVC(3.0, class_weight='balanced')"
  )),
  hetsel_mkl = list(machine_of(
    function(t) hetsel_mkl(t$x, t$y, q = 1.5), "ClinicalMKL(q=1.5)"
  )),
  hetsel_kernel = list(list(
    call = function(t) list(hetsel_kernel(t$x), hetsel_kernel(t$x[1:20, ], t$x)),
    answer = identity,
    python = c(
      "found = [hetsel.clinical_kernel(X).ravel(order='F').tolist()]",
      "found.append(hetsel.clinical_kernel(X[:20], X).ravel(order='F').tolist())"
    )
  )),
  hetsel_study = list(list(
    call = study_in_r,
    answer = function(r) {
      c(
        r$scores[c("method", "size", "bcr", "auc", "n_categorical")],
        r$summary[c("bcr", "bcr_low_corrected", "kuncheva")], list(r$digest, r$found)
      )
    },
    python = c(
      study_in_python,
      "scores, summary = results.frame(), results.summary()",
      "names = ('method', 'size', 'bcr', 'auc', 'n_categorical')",
      "found = [scores[name].tolist() for name in names]",
      "found += [summary[name].tolist() for name in ('bcr', 'bcr_low_corrected', 'kuncheva')]",
      "found += [results.digest(), list(hetsel.compare_methods(results).found)]"
    )
  )),
  hetsel_compare = list(
    list( # the first numbers of the table as scores of three methods on twelve data sets
      call = function(t) hetsel_compare(t$x[1:12, vapply(t$x, is.numeric, NA)][1:3], rope = 0.5),
      answer = function(r) {
        c(
          r$tests[c("chi2", "pvalue", "f", "f_pvalue", "permutation_pvalue", "least_wilcoxon")],
          list(r$tests$critical_difference, r$ranks$mean_rank, r$pairs$better),
          list(r$pairs$wilcoxon_holm), r$bayesian[c("one_better", "equivalent", "other_better")]
        )
      },
      python = c(
        "numbers = [name for name in X if X[name].dtype == float][:3]",
        "scores = X[numbers][:12]",
        "test = hetsel.stats.friedman(scores)",
        "nemenyi, signed = hetsel.stats.nemenyi(test).frame(), hetsel.stats.wilcoxon_holm(scores)",
        "found = [test.statistic, test.pvalue, test.iman_davenport, test.iman_davenport_pvalue]",
        "found += [test.permutation_pvalue(), signed.least]",
        "found += [hetsel.stats.nemenyi(test).critical_difference, test.mean_ranks.tolist()]",
        "found += [nemenyi['better'].tolist(), signed.frame()['pvalue'].tolist()]",
        "pairs = [(0, 1), (0, 2), (1, 2)]",
        "apart = [scores[numbers[i]] - scores[numbers[j]] for i, j in pairs]",
        "tests = [hetsel.stats.bayesian_signed_rank_test(z, rope=0.5) for z in apart]",
        "found += [[t.right for t in tests], [t.equivalent for t in tests]]",
        "found += [[t.left for t in tests]]"
      )
    ),
    list(
      call = function(t) hetsel_compare(study_in_r(t), rope = 0.02),
      answer = function(r) c(r$bayesian[c("one", "difference", "one_better", "equivalent")]),
      python = c(
        study_in_python,
        "pairs = hetsel.compare_methods(results).bayesian_pairs(rope=0.02)",
        "names = ('one', 'difference', 'one_better', 'equivalent')",
        "found = [pairs[name].tolist() for name in names]"
      )
    )
  ),
  hetsel_stability = list(
    list(
      call = function(t) hetsel_stability(study_in_r(t)),
      answer = function(r) r[c("kuncheva", "cw_rel", "ati", "nogueira", "low", "high")],
      python = c(
        study_in_python,
        "chosen = [results.signatures('own', method, size)[1]",
        "          for method in ('hsic', 'variance') for size in (1, 2, 3)]",
        "measures = (hetsel.stability.kuncheva, hetsel.stability.cw_rel, hetsel.stability.ati, hetsel.stability.nogueira)",
        "found = [[measure(one) for one in chosen] for measure in measures]",
        "intervals = [hetsel.stability.nogueira_interval(one) for one in chosen]",
        "found += [[one.low for one in intervals], [one.high for one in intervals]]"
      )
    ),
    list(
      call = function(t) {
        hetsel_stability(list(names(t$x)[1:2], names(t$x)[c(1, 3)], names(t$x)[1:3]), length(t$x))
      },
      answer = function(r) r[c("cw_rel", "ati", "nogueira")],
      python = c(
        "subsets, p = [[0, 1], [0, 2], [0, 1, 2]], X.shape[1]",
        "found = [hetsel.stability.cw_rel(subsets, p), hetsel.stability.ati(subsets, p), hetsel.stability.nogueira(subsets, p)]"
      )
    )
  ),
  hetsel_report = list(list( # of one store: what differs between two runs are seconds
    call = function(t) {
      study <- study_in_r(t)
      page <- hetsel_report(study, tempfile(fileext = ".html"))
      list(store = study$store, page = readLines(page, encoding = "UTF-8"))
    },
    answer = function(r) list(r$page),
    python = function(r) {
      c(
        study_to_run,
        "page = new_file('page.html')",
        paste0("hetsel.write_study_report(hetsel.Results('", r$store, "', study), page)"),
        "found = [open(page, encoding='utf-8').read().splitlines()]"
      )
    }
  )),
  hetsel_method = list(list( # a function of R has the numbers that the same in Python has
    call = function(t) {
      largest <- hetsel_method(function(x, y, sizes) vapply(x, max, 0))
      hetsel_rank(t$x[vapply(t$x, is.numeric, NA)], t$y, method = largest)
    },
    answer = function(r) {
      list(sort(r$ranking$feature), r$ranking$importance[order(r$ranking$feature)])
    },
    python = c(
      "numbers = X.select_dtypes('number')",
      "found = [sorted(numbers), [float(numbers[name].max()) for name in sorted(numbers)]]"
    )
  )),
  signatures = list(
    list(
      call = function(t) signatures(study_in_r(t), "own", "variance", size = 2),
      answer = function(r) list(names(r), unlist(r)),
      python = c(
        study_in_python,
        "rows, chosen = results.signatures('own', 'variance', 2)",
        "found = [[str(row) for row in rows]]",
        "found += [[name for subset in chosen for name, one in zip(X, subset) if one]]"
      )
    ),
    list(
      call = function(t) signatures(hetsel_rank(t$x, t$y), size = 1:3),
      answer = function(r) unname(r),
      python = c(
        "names = hetsel.RFEMKL().fit(X, y).frame()['feature'].tolist()",
        "found = [names[:1], names[:2], names[:3]]"
      )
    )
  ),
  hetselFuncs = list(list(
    call = function(t) {
      y <- factor(t$y)
      fitted <- hetselFuncs$fit(t$x, y, method = "hsic")
      list(rank = hetselFuncs$rank(fitted, t$x, y), pred = hetselFuncs$pred(fitted, t$x))
    },
    answer = function(r) list(r$rank$var, as.character(r$pred$pred)),
    python = c(
      "names = hetsel.get_method('hsic')().fit(X, y).frame()['feature'].tolist()",
      "machine = hetsel.ClinicalSVC(class_weight='balanced').fit(X, y)",
      "found = [names, [str(one).upper() if one in (True, False) and y.dtype == bool else str(one)",
      "                 for one in machine.predict(X).tolist()]]"
    )
  )),
  step_select_hetsel = list(list(
    needs = "recipes",
    call = function(t) {
      rows <- data.frame(t$x, .class = factor(t$y), check.names = FALSE)
      recipe <- recipes::recipe(rows, vars = names(rows),
        roles = c(rep("predictor", length(t$x)), "outcome")
      )
      step <- step_select_hetsel(recipe, recipes::all_predictors(), method = "hsic", size = 3)
      trained <- recipes::prep(step)
      list(kept = names(recipes::bake(trained, rows)), terms = recipes::tidy(trained, 1))
    },
    answer = function(r) list(setdiff(r$kept, ".class"), r$terms$importance[order(r$terms$rank)]),
    python = c(
      "ranking = hetsel.get_method('hsic')(size=3).fit(X, y)",
      "best = ranking.frame()",
      "found = [[name for name in X if name in set(best['feature'][:3])]]",
      "found += [best['importance'].tolist()]"
    )
  )),
  hetsel_methods = list(list(
    call = function(t) hetsel_methods(),
    answer = function(r) {
      r[c("key", "title", "family", "takes", "takes_otherwise", "targets", "paper")]
    },
    python = c(
      "table = hetsel.method_table()",
      "names = 'key title family takes takes_otherwise targets paper'.split()",
      "found = [table[name].tolist() for name in names]"
    )
  ))
)

test_that("the table names every exported function, and no other", {
  named <- c(names(parity), names(without_numbers))
  expect_identical(anyDuplicated(named), 0L)
  expect_setequal(named, getNamespaceExports("hetsel"))
})

tables <- list(heart = heart_table, women = women_table, housing = housing_table)

for (name in names(parity)) {
  for (of in names(tables)) {
    test_that(paste(name, "on", of, "has the numbers of Python to the last bit"), {
      skip_without_python()
      expect_numbers_of_python(parity[[name]], tables[[of]](), paste(name, of))
    })
  }
}
