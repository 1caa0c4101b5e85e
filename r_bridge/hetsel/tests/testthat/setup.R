# Packages that are loaded here ask for the time zone; where nothing says which one it is, R asks a
# service that a container does not have, and warns.
if (!nzchar(Sys.getenv("TZ")) && !file.exists("/run/systemd/system")) {
  Sys.setenv(TZ = "UTC")
}
