.onLoad <- function(libname, pkgname) {
  require_wheel()
}
