#' Use a Function of R as a Selection Method
#'
#' @description Turn a function of R into a selection method for \code{\link{hetsel_rank}},
#' \code{\link{hetsel_select}} and the plan of \code{\link{hetsel_study}}. In a study it has the
#' time limit and the worker processes of the other methods.
#' @details The function is called as \code{f(x, y, sizes)}, or as \code{f(x, y)} if it has two
#' arguments. \code{x} is a data frame of the training rows: nominal columns are factors with all
#' their levels, ordinal columns are ordered factors, and all others are doubles. Missing values are
#' imputed, or \code{NA} with \code{missing = "separate"}. \code{y} is the factor of the classes
#' with sorted levels, the numeric target, or the \code{survival::Surv()} object of the survival
#' times. \code{sizes} are the requested sizes of the signature. The function returns one of
#' \itemize{
#'   \item names of columns, best first, of all of them or of the best ones;
#'   \item a numeric vector of importances (larger is better), named by all columns;
#'   \item a list of character vectors, a subset of columns for each size.
#' }
#' Any other value is an error. An error in \code{f} fails the cell of a study, and \code{$failures}
#' lists it.
#'
#' Workers run in a separate R process. With \code{jobs = 0}, \code{f} runs in the current session,
#' which is not protected if \code{f} ends R or does not return. In both cases a copy of \code{f}
#' runs, with the environment in which \code{f} was created: the variables there, and in its parent
#' environments, whose names appear in its code or in the code of functions among them. The global
#' environment and the environments of packages are not copied. \code{f} must therefore not read
#' variables of the global environment, and \code{packages} names the packages whose functions it
#' calls. Objects that exist in this session only cannot be copied and are an error: connections,
#' external pointers and Python objects.
#'
#' The random number generator is seeded with the seed of the cell before each call and restored
#' afterwards.
#'
#' A study identifies the function by its code, by the values that are copied with it, by the code
#' of functions of the global environment that it calls (as they are when \code{hetsel_method()} is
#' called), and by the versions of R and of \code{packages}. If any of these changes, its cells are
#' computed again. Comments, spaces and the name of the function do not matter.
#' @param f A function of \code{x}, \code{y} and \code{sizes}, or of \code{x} and \code{y}.
#' @param label Name of the method in reports; the default is the name of \code{f}, if it has one.
#' @param draws Whether \code{f} draws random numbers.
#' @param packages Names of packages that \code{f} needs; they are attached while it runs.
#' @param params,... Values of further arguments of \code{f}, in a list or by name.
#' @return A list of class \code{hetsel_method} with the elements \code{key}, \code{params} and
#' \code{label}, to be passed as a \code{method}.
#' @seealso \code{\link{hetsel_methods}}, \code{\link{hetsel_study}}
#' @examples
#' by_anova <- function(x, y, sizes) {
#'   vapply(x, function(column) {
#'     -anova(lm(as.integer(y) ~ column))[["Pr(>F)"]][1]
#'   }, 0)
#' }
#' method <- hetsel_method(by_anova)
#' method
#' if (hetsel_available()) {
#'   hetsel_rank(infert[1:4], factor(infert$case), method = method)
#' }
#' @export
hetsel_method <- function(f, label = NULL, draws = FALSE, packages = character(),
                          params = list(), ...) {
  label <- label %||% name_written(substitute(f))
  params <- params_given(params, ...)
  if (is.function(f) && length(params)) {
    legal <- setdiff(names(formals(f)), c("x", "y", "sizes"))
    unknown <- setdiff(names(params), legal)
    refuse_if(length(unknown),
      "params must name arguments of f (",
      if (length(legal)) paste(legal, collapse = ", ") else "it has only x, y and sizes",
      "). Got ", unknown[1], argument = "params"
    )
    formals(f)[names(params)] <- params
  }
  if (is.function(f) && identical(names(formals(f)), c("x", "y"))) {
    formals(f) <- alist(x = , y = , sizes = )
  }
  legal <- if (is.function(f)) names(formals(f)) # of a primitive function there are none
  refuse_if(!is.function(f) || !(length(legal) >= 3 || "..." %in% legal),
    "f must be a function of x, y and sizes",
    if (is.function(f)) paste0(". Got ", sub(" *NULL$", "", deparse1(args(f)))) else got(f),
    argument = "f"
  )
  versions <- c(R = paste(R.version$major, R.version$minor, sep = "."))
  for (name in as.character(packages)) {
    refuse_if(!nzchar(system.file(package = name)),
      "packages must be installed. Got ", name,
      fix = paste0("Run install.packages(\"", name, "\")"),
      argument = "packages"
    )
    versions[name] <- format(utils::packageVersion(name))
  }
  sent <- bare_copy(f)
  called <- of_workspace(f)
  written <- vapply(c(list(sent), lapply(called, bare_copy)), function(one) {
    paste(deparse(one), collapse = "\n")
  }, "")
  heads <- c("", sprintf("%s <- ", names(called)))
  bytes <- serialize(sent, NULL, version = 2) # which has no compact form of vectors
  structure(
    list(
      key = "r_bridge.to_r.r_function.RFunction",
      params = list(
        packed = paste(as.character(bytes), collapse = ""),
        source = enc2utf8(paste0(heads, written, collapse = "\n")),
        versions = as.list(versions),
        draws = one_of(draws, "draws", is.logical)
      ),
      label = enc2utf8(one_of(label, "label", is.character))
    ),
    class = "hetsel_method", workspace = names(called)
  )
}

#' @export
print.hetsel_method <- function(x, ...) {
  cat(x$label, ", a function of R as a selection method:\n", x$params$source, "\n", sep = "")
  versions <- x$params$versions
  cat(paste(names(versions), versions, collapse = ", "), "\n", sep = "")
  invisible(x)
}

# Name the method of a result after the user's function.
by_function <- function(result, method) {
  if (is.null(method)) {
    return(result)
  }
  result$method <- method$label
  result$title <- "a function of R"
  result$options <- result$options[setdiff(names(result$options), names(method$params))]
  result$changed <- setdiff(result$changed, names(method$params))
  result$draws <- isTRUE(result$draws) && (method$params$draws || !is.null(result$verdict))
  result
}

# The user's method, given as such or as a function; NULL for other methods.
method_given <- function(method, written) {
  if (inherits(method, "hetsel_method")) {
    return(method)
  }
  if (is.function(method)) hetsel_method(method, name_written(written))
}

name_written <- function(code) if (is.name(code)) as.character(code) else "function of R"

# Functions of the global environment that a function calls, directly or not; they are not copied.
of_workspace <- function(f) {
  found <- list()
  left <- list(f)
  while (length(left)) {
    new <- setdiff(called_in_workspace(left[[1]]), names(found))
    found[new] <- mget(new, envir = globalenv())
    left <- c(left[-1], found[new])
  }
  found[sort(as.character(names(found)), method = "radix")]
}

called_in_workspace <- function(f) {
  Filter(function(name) {
    identical(home_of(name, environment(f)), globalenv()) &&
      exists(name, envir = globalenv(), mode = "function", inherits = FALSE)
  }, named_by(list(formals(f), body(f))))
}

# The first environment with a variable, or the first for which `ends` is true.
home_of <- function(name, env, ends = is_of_r) {
  while (!ends(env) && !exists(name, envir = env, inherits = FALSE)) {
    env <- parent.env(env)
  }
  env
}

# The copy that is sent or saved; with `workspace` it includes what it reads there.
bare_copy <- function(f, workspace = FALSE) {
  needed <- function(env) {
    while (!is_of_r(env) && !length(env) && is.null(attributes(env))) {
      env <- parent.env(env)
    }
    env
  }
  if (is.primitive(f)) {
    return(f)
  }
  copies <- new.env()
  copies$.workspace <- workspace
  sent <- bare(f, copies)
  for (made in as.list(copies)) {
    parent.env(made$copy) <- needed(parent.env(made$copy))
  }
  environment(sent) <- needed(environment(sent))
  sent
}

# A copy without what changes while R works: source references, compiled code, unused variables.
bare <- function(x, copies) {
  if (isS4(x)) {
    return(x)
  }
  x <- switch(typeof(x),
    closure = return(bare_function(x, copies)),
    environment = return(bare_environment(x, copies)),
    list = ,
    language = ,
    pairlist = ,
    expression = bare_parts(x, copies),
    externalptr = ,
    weakref = refuse(
      "f must not contain an external pointer, such as a connection or a Python object, since it ",
      "cannot be saved or sent to another process",
      fix = "Create it inside the function", argument = "f"
    ),
    x
  )
  with_attributes(x, attributes(x), copies)
}

with_attributes <- function(x, kept, copies) {
  kept <- kept[setdiff(names(kept), c("srcref", "srcfile", "wholeSrcref"))]
  plain <- c("names", "dim", "dimnames", "class", "levels", "row.names", "tsp")
  for (name in setdiff(names(kept), plain)) {
    kept[[name]] <- bare(kept[[name]], copies)
  }
  attributes(x) <- kept
  x
}

bare_parts <- function(x, copies) {
  # what makes a function within code ends with the place of its source
  made <- typeof(x) == "language" && identical(x[[1]], as.name("function"))
  kept <- attributes(x)
  parts <- lapply(as.list(unclass(if (made) x[1:3] else x)), function(part) {
    if (is.name(part)) part else bare(part, copies) # a name may be the empty one of x[, 1]
  })
  if (made) {
    return(as.call(parts))
  }
  parts <- if (typeof(x) == "language") as.call(parts) else as.vector(parts, typeof(x))
  attributes(parts) <- kept
  parts
}

bare_function <- function(f, copies) {
  code <- list(bare(formals(f), copies), bare(body(f), copies)) # the code that was compiled
  home <- copied_environment(environment(f), copies)
  for (name in setdiff(sort(named_by(code), method = "radix"), names(formals(f)))) {
    copy_variable(name, environment(f), copies)
  }
  copy <- as.function(c(code[[1]], code[2]), envir = home)
  with_attributes(copy, attributes(f), copies)
}

# Names in code, including quoted ones, such as functions called by do.call().
named_by <- function(code) {
  quoted <- character()
  left <- list(code)
  while (length(left)) {
    part <- left[[1]]
    left <- left[-1]
    if (is.character(part)) {
      quoted <- c(quoted, part)
    } else if (typeof(part) %in% c("language", "pairlist", "list")) {
      left <- c(parts_of(part), left)
    }
  }
  defaults <- as.expression(as.list(code[[1]]))
  unique(c(all.names(defaults), all.names(code[[2]]), quoted))
}

# The parts of a call or a list, without empty arguments, as in x[, 1].
parts_of <- function(call) {
  parts <- as.list(call)
  parts[!vapply(parts, identical, NA, quote(expr = ))]
}

# An empty copy of an environment, inside copies of its parents.
copied_environment <- function(env, copies) {
  if (stays(env, copies)) {
    return(env)
  }
  address <- format.default(env)
  if (is.null(copies[[address]])) {
    around <- if (is_of_r(env)) .BaseNamespaceEnv else copied_environment(parent.env(env), copies)
    copy <- new.env(hash = FALSE, parent = around)
    attributes(copy) <- attributes(env)
    copies[[address]] <- list(copy = copy, of = env) # which keeps its address
  }
  copies[[address]]$copy
}

# Copy the variable of a name; with the workspace also functions of attached packages.
copy_variable <- function(name, env, copies) {
  env <- home_of(name, env, function(env) stays(env, copies))
  if (copies$.workspace && grepl("^package:", paste0("", attr(env, "name")))) {
    return(copy_packaged(name, env, copied_environment(globalenv(), copies)))
  }
  copy <- copied_environment(env, copies)
  if (stays(env, copies) || exists(name, envir = copy, inherits = FALSE)) {
    return(NULL)
  }
  found <- tryCatch(list(get(name, envir = env, inherits = FALSE)), error = function(e) NULL)
  assign(name, quote(expr = ), envir = copy) # an argument that was left out stays so
  if (!is.null(found)) assign(name, bare(found[[1]], copies), envir = copy)
}

# Bind a function that a package exports, resolved at its first call; base needs no binding.
copy_packaged <- function(name, env, copy) {
  home <- package_of(name, env)
  if (!is.null(home) && !exists(name, envir = copy, inherits = FALSE)) {
    packaged <- call("::", as.name(home), as.name(name))
    eval(call("delayedAssign", name, packaged, baseenv(), copy))
  }
}

bare_environment <- function(env, copies) {
  if (!is_of_r(env)) {
    for (name in ls(env, all.names = TRUE, sorted = TRUE)) {
      copy_variable(name, env, copies)
    }
  }
  copied_environment(env, copies)
}

stays <- function(env, copies) is_of_r(env) && !(copies$.workspace && identical(env, globalenv()))

# Whether an environment exists in every R: the global one, or that of a package.
is_of_r <- function(env) {
  identical(env, globalenv()) || identical(env, baseenv()) || identical(env, emptyenv()) ||
    isNamespace(env) || grepl("^(package|imports):", paste0("", attr(env, "name")))
}
