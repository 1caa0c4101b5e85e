#' Feature Selection Step for a Recipe
#'
#' @description Add a step to a recipe of the package \pkg{recipes} that ranks the chosen columns,
#' or searches their best subset, and keeps the selected features. A factor is one feature: put the
#' step before \code{step_dummy}.
#' @param recipe A recipe.
#' @param ... Selectors of the columns to choose from, such as \code{all_predictors()}.
#' @param outcome Name of the target; \code{NULL} uses the only outcome of the recipe.
#' @param method,size The method and the size of the signature, as in \code{\link{hetsel_rank}}. If
#'   \code{size} is larger than the number of columns, all columns are kept.
#' @param options A list of further arguments of \code{\link{hetsel_rank}}, such as \code{list(seed
#'   = 1, C = 10)}.
#' @param role,trained,removals,ranking,skip,id As in all steps; \code{removals} are the names of
#'   the removed columns, and \code{ranking} is a data frame, both \code{NULL} until the recipe is
#'   prepared.
#' @param x,object,training,info,new_data,width Arguments of \code{prep}, \code{bake}, \code{print}
#'   and \code{tidy}.
#' @details Case weights of the recipe, of any kind, are row weights of the selection; a method that
#' does not support row weights refuses them. \code{size} can be tuned.
#' @return The recipe with the step. \code{tidy} of a prepared step returns one row per column, with
#' \code{terms}, \code{rank}, \code{importance} (both \code{NA} after a search over subsets),
#' \code{removed} and \code{id}.
#' @seealso \code{\link{hetsel_rank}}, \code{\link{hetselFuncs}}
#' @examplesIf hetsel_available() && requireNamespace("recipes", quietly = TRUE)
#' women <- transform(infert[c("age", "parity", "education", "case")], case = factor(case))
#' recipe <- recipes::recipe(case ~ ., women)
#' recipe <- step_select_hetsel(recipe, recipes::all_predictors(), size = 2)
#' recipes::bake(recipes::prep(recipe), head(women))
#' @export
step_select_hetsel <- function(recipe, ..., outcome = NULL, method = "rfe-mkl", size = NULL,
                               options = list(), role = NA, trained = FALSE, removals = NULL,
                               ranking = NULL, skip = FALSE,
                               id = recipes::rand_id("select_hetsel")) {
  recipes::add_step(recipe, recipes::step(
    subclass = "select_hetsel", terms = rlang::enquos(...), outcome = outcome, method = method,
    size = size, options = options, role = role, trained = trained, removals = removals,
    ranking = ranking, skip = skip, id = id, case_weights = NULL
  ))
}

#' @rdname step_select_hetsel
#' @exportS3Method recipes::prep
prep.step_select_hetsel <- function(x, training, info = NULL, ...) {
  columns <- recipes::recipes_eval_select(x$terms, training, info)
  target <- outcome_of(x, info)
  weights <- recipes::get_case_weights(info, training)
  table <- as.data.frame(training[setdiff(columns, target)])
  given <- c(list(x = table, y = training[[target]], method = x$method), x$options)
  if (!is.null(x$size)) given$size <- min(checks$number(x$size, "size"), length(table))
  if (!is.null(weights)) given$row_weights <- as.double(weights)
  found <- do.call(hetsel_rank.default, given)
  x$removals <- setdiff(names(table), found$selected)
  x$ranking <- if (inherits(found, "hetsel_path")) { # a search over subsets has no ranks
    data.frame(terms = found$columns$name, rank = NA_integer_, importance = NA_real_)
  } else {
    data.frame(terms = found$ranking$feature, found$ranking[c("rank", "importance")])
  }
  x$trained <- TRUE
  x["case_weights"] <- list(if (!is.null(weights)) TRUE)
  x
}

outcome_of <- function(x, info) {
  found <- x$outcome %||% info$variable[info$role %in% "outcome"]
  refuse_if(is.null(x$outcome) && length(found) != 1,
    "the recipe must have one outcome. Got ", length(found), fix = "Name the target by outcome =",
    argument = "outcome"
  )
  checks$word(found, "outcome")
}

#' @rdname step_select_hetsel
#' @exportS3Method recipes::bake
bake.step_select_hetsel <- function(object, new_data, ...) {
  new_data[!names(new_data) %in% object$removals]
}

#' @rdname step_select_hetsel
#' @export
print.step_select_hetsel <- function(x, width = max(20, options()$width - 30), ...) {
  title <- paste0("Features selected by ", x$method, ", removed: ")
  recipes::print_step(x$removals, x$terms, x$trained, title, width, case_weights = x$case_weights)
  invisible(x)
}

#' @rdname step_select_hetsel
#' @exportS3Method generics::tidy
tidy.step_select_hetsel <- function(x, ...) {
  table <- if (x$trained) {
    cbind(x$ranking, removed = x$ranking$terms %in% x$removals)
  } else {
    data.frame(
      terms = recipes::sel2char(x$terms), rank = NA_integer_, importance = NA_real_, removed = NA
    )
  }
  tidy_table(cbind(table, id = rep(x$id, nrow(table))))
}

#' @exportS3Method generics::tunable
tunable.step_select_hetsel <- function(x, ...) {
  table <- data.frame(name = "size")
  table$call_info <- list(list(pkg = "dials", fun = "num_terms", range = c(1L, 20L)))
  table[c("source", "component")] <- list("recipe", "step_select_hetsel")
  table$component_id <- x$id
  tidy_table(table)
}

#' @exportS3Method generics::required_pkgs
required_pkgs.step_select_hetsel <- function(x, ...) "hetsel"
