#' A function of R as a selection method
#'
#' @description Makes a selection method of a function, for the plan of \code{\link{hetsel_study}},
#' where it has the time limit and the worker processes of the other methods, and for
#' \code{\link{hetsel_rank}} and \code{\link{hetsel_select}}.
#' @details The function is called as \code{f(x, y, sizes)}, or \code{f(x, y)} where it has no more:
#' \code{x} is a data frame of the training rows, in which nominal columns are factors with all
#' their levels, ordinal ones ordered factors and all others doubles; missing cells are filled, or
#' \code{NA} under \code{missing = "separate"}. \code{y} is the factor of the classes, its levels
#' sorted, or the numbers of the target, or what \code{survival::Surv()} makes of its times and
#' events. \code{sizes} are the sizes of signature that are asked for. It returns one of \itemize{
#'   \item names of columns, best first, of all of them or of the best ones;
#'   \item a numeric vector by the names of all columns: importances, larger is better;
#'   \item a list of character vectors, a subset of columns for each size.
#' }
#' All else is refused. An error in \code{f} costs the cell of a study, and is in its
#' \code{$failures}.
#'
#' Workers run an R of their own, and with \code{jobs = 0} it is the running one, where nothing
#' protects the session from a function that ends R or does not end. In both a copy of \code{f}
#' runs, with the environment that it was made in: the variables there, and in the environments
#' around it, whose names stand in its code, or in that of the functions among them. The global
#' environment and those of packages do not travel: a function must not read variables of the
#' former, and \code{packages} names what it calls of the latter. What lives in this session only
#' cannot travel and is refused: connections, external pointers and Python's objects.
#'
#' The generator of random numbers is set by the seed of the cell before each call, and put back
#' afterwards.
#'
#' A study knows the function by its code and the values that travel with it, by the code of the
#' functions of the global environment that it calls, as it is when \code{hetsel_method()} is
#' called, and by the versions of R and of \code{packages}: another one of these makes new cells.
#' Comments, spaces and the name do not.
#' @param f A function of \code{x}, \code{y} and \code{sizes}, or of \code{x} and \code{y}.
#' @param label What reports call it: the name of \code{f}, if it has one.
#' @param draws Whether \code{f} draws random numbers.
#' @param packages Names of packages that \code{f} needs: they are attached while it runs.
#' @param params,... Values of further arguments of \code{f}, in a list or by name.
#' @return A list of class \code{hetsel_method}.
#' @examples
#' by_variance <- function(x, y, sizes) {
#'   vapply(x, function(column) {
#'     -anova(lm(as.integer(y) ~ column))[["Pr(>F)"]][1]
#'   }, 0)
#' }
#' method <- hetsel_method(by_variance)
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
      "f has no argument ", unknown[1], "; it has ",
      if (length(legal)) paste(legal, collapse = ", ") else "x, y and sizes", argument = "params"
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
      "packages: ", name, " is not installed", fix = paste0("install.packages(\"", name, "\")"),
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

# A result by a function of R, called as it was named.
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

# A method of the user's own, also where the function itself stands for it; NULL for others.
method_given <- function(method, written) {
  if (inherits(method, "hetsel_method")) {
    return(method)
  }
  if (is.function(method)) hetsel_method(method, name_written(written))
}

name_written <- function(code) if (is.name(code)) as.character(code) else "function of R"

# Functions of the workspace that a function calls, directly or not: they do not travel with it.
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

# The first environment that has a variable, or the first that `ends` the way to it.
home_of <- function(name, env, ends = is_of_r) {
  while (!ends(env) && !exists(name, envir = env, inherits = FALSE)) {
    env <- parent.env(env)
  }
  env
}

# The copy that is sent or saved; with `workspace` it takes along what it reads there.
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
      "a function holds an external pointer, such as a connection or an object of Python, which ",
      "cannot be saved or sent to another process",
      fix = "make it inside of the function", argument = "f"
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

# Names in code, also those in quotes, as of a function that do.call() calls.
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

# What a call or a list consists of, without the arguments that are left out, as in x[, 1].
parts_of <- function(call) {
  parts <- as.list(call)
  parts[!vapply(parts, identical, NA, quote(expr = ))]
}

# The copy of an environment, still empty, within copies of those around it.
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

# Copy what a name means; with the workspace also functions of packages that are attached.
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

# A function that a package exports, found at its first call; R's own base is found anyway.
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

# Environments that every R has: the global one, and those of packages.
is_of_r <- function(env) {
  identical(env, globalenv()) || identical(env, baseenv()) || identical(env, emptyenv()) ||
    isNamespace(env) || grepl("^(package|imports):", paste0("", attr(env, "name")))
}
