# Ctrl-C, as a terminal sends it. R fetches a function where it is first called; one that is torn away
# from that makes R warn at the next call ("restarting interrupted promise evaluation"). So what
# the tests call after a press is there before it.
press <- function() {
  Sys.sleep(0)
  tools::pskill(Sys.getpid(), tools::SIGINT)
}
