#' Score Object for filtro
#'
#' @description Create a score object of the package \pkg{filtro} from a method of hetsel.
#' \code{fit} computes its \code{results}, which filtro combines, ranks and filters together with
#' its own scores. A factor has one score, and factors and numbers have scores on one scale.
#' @param method Key of a method that ranks, see \code{\link{hetsel_methods}}.
#' @param ... Further arguments of \code{\link{hetsel_rank}}, such as \code{seed} or parameters of
#'   the method.
#' @return An S7 object of class \code{class_score_hetsel}, a \code{filtro::class_score}. After
#' \code{fit(object, formula, data, case_weights = NULL)}, its \code{results} are a data frame with
#' \code{name}, \code{score}, \code{outcome} and \code{predictor}. The score is the importance.
#' Importances of an elimination are not comparable, so its scores decrease in equal steps from 1,
#' the best feature, to 0. \code{case_weights} are row weights; a method that does not support row
#' weights refuses them.
#' @seealso \code{\link{hetsel_mlr3}}, \code{\link{step_select_hetsel}}
#' @examplesIf hetsel_available() && requireNamespace("filtro", quietly = TRUE)
#' women <- transform(infert[c("age", "parity", "education", "case")], case = factor(case))
#' score <- generics::fit(score_hetsel("hsic"), case ~ ., women)
#' S7::prop(score, "results")
#' @export
score_hetsel <- function(method = "rfe-mkl", ...) {
  about <- catalogue_file()
  about <- about[about$key == checks$word(method, "method"), ]
  refuse_if(!nrow(about),
    "method must be one of the ", nrow(catalogue_file()), " of hetsel_methods(). Got '", method,
    "'",
    fix = nearest_name(method, catalogue_file()$key), argument = "method"
  )
  columns <- c(continuous = "numeric", nominal = "factor")
  targets <- c(numbers = "numeric", classes = "factor")
  # only Python knows which methods support row weights, and refuses them
  score_class()(
    method = method, options = list(...),
    outcome_type = unname(targets[names(targets) %in% items_of(about$targets)]),
    predictor_type = unname(columns[names(columns) %in% kinds_taken(about)]),
    case_weights = NA, range = c(-Inf, Inf), inclusive = c(FALSE, FALSE), fallback_value = Inf,
    score_type = gsub("-", "_", method), transform_fn = identity, direction = "maximize",
    deterministic = TRUE, tuning = FALSE, label = about$title, packages = "hetsel"
  )
}

# Created at first use, since filtro and S7 may not be installed.
score_class <- function() {
  for (name in c("filtro", "generics", "S7")) {
    refuse_if(!requireNamespace(name, quietly = TRUE),
      "score_hetsel() needs the package ", name,
      fix = paste0("Run install.packages(\"", name, "\")")
    )
  }
  if (is.null(the$score_class)) {
    the$score_class <- S7::new_class("class_score_hetsel",
      parent = filtro::class_score,
      properties = list(method = S7::class_character, options = S7::class_list)
    )
    fit <- generics::fit
    S7::method(fit, the$score_class) <- fit_score
  }
  the$score_class
}

fit_score <- function(object, formula, data, case_weights = NULL, ...) {
  given <- c(list(formula, data, method = S7::prop(object, "method")), S7::prop(object, "options"))
  given$row_weights <- if (is.null(case_weights)) given$row_weights else as.double(case_weights)
  scores <- filter_scores(with_ranks(do.call(hetsel_rank, given), "scores no single column"))
  S7::prop(object, "results") <- tidy_table(data.frame(
    name = S7::prop(object, "score_type"), score = unname(scores),
    outcome = all.vars(formula)[1], predictor = names(scores)
  ))
  object
}
