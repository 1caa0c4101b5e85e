# What other packages look up when they are loaded. Methods of their generics need nothing here: R
# registers those that NAMESPACE names when the other package comes.

# Fill the dictionary of mlr3filters, now or when that package is loaded.
register_methods <- function() {
  fill <- function(...) fill_mlr_filters(mlr3filters::mlr_filters)
  if (isNamespaceLoaded("mlr3filters")) {
    fill()
  }
  setHook(packageEvent("mlr3filters", "onLoad"), fill)
}
