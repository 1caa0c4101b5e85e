.onLoad <- function(libname, pkgname) {
  require_wheel()
  register_methods()
}
