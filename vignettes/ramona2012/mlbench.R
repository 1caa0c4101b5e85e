# Writes Sonar and Breast Cancer of R's mlbench, complete rows, as CSV files: Rscript mlbench.R FOLDER
folder <- commandArgs(TRUE)[1]
data(BreastCancer, Sonar, package = "mlbench")
BreastCancer$Id <- NULL
for (name in c("BreastCancer", "Sonar")) {
  write.csv(na.omit(get(name)), file.path(folder, paste0(name, ".csv")), row.names = FALSE)
}
