#' Cleveland Heart Disease
#'
#' @description Patients of the Cleveland Clinic who underwent coronary angiography: 303 rows, 6
#' continuous and 7 categorical features, 6 missing values, and whether a major vessel is narrowed.
#' The same data set is \code{hetsel.datasets.load("heart")} in Python, so results of one language
#' can be reproduced in the other.
#' @format A data frame with 303 rows and 14 columns:
#' \describe{
#'   \item{\code{age}}{age in years.}
#'   \item{\code{gender}}{factor: female, male.}
#'   \item{\code{chest pain}}{factor: asymptomatic, atypical ang, non-anginal, typical ang.}
#'   \item{\code{rest SBP}}{systolic blood pressure at rest, in mm Hg.}
#'   \item{\code{cholesterol}}{serum cholesterol, in mg/dl.}
#'   \item{\code{fasting blood sugar > 120}}{factor: 1 if fasting blood sugar is above 120 mg/dl,
#'     else 0.}
#'   \item{\code{rest ECG}}{factor: normal, left vent hypertrophy, ST-T abnormal.}
#'   \item{\code{max HR}}{maximum heart rate reached, in beats per minute.}
#'   \item{\code{exerc ind ang}}{factor: 1 if exercise induces angina, else 0.}
#'   \item{\code{ST by exercise}}{ST depression induced by exercise relative to rest, in mm.}
#'   \item{\code{slope peak exc ST}}{factor, slope of the ST segment at peak exercise: upsloping,
#'     flat, downsloping.}
#'   \item{\code{major vessels colored}}{number of major vessels colored by fluoroscopy, 0 to 3.}
#'   \item{\code{thal}}{factor, thallium scan: normal, reversable defect, fixed defect.}
#'   \item{\code{diameter narrowing}}{factor, the target: 1 if a major vessel is narrowed by more
#'     than 50\% of its diameter (139 rows), else 0 (164 rows).}
#' }
#' @source UCI Machine Learning Repository, data set Heart Disease, file
#' \code{processed.cleveland.data}, license CC BY 4.0
#' (\url{https://creativecommons.org/licenses/by/4.0/}). The table is the version of the Python
#' package Orange3, GPL-3.0-or-later, which replaces codes by names and merges the four degrees of
#' narrowing.
#' Investigators: Andras Janosi (Hungarian Institute of Cardiology, Budapest), William Steinbrunn
#' (University Hospital, Zurich), Matthias Pfisterer (University Hospital, Basel), Robert Detrano
#' (V.A. Medical Center, Long Beach, and Cleveland Clinic Foundation). Donor: David W. Aha, July
#' 1988.
#' @references
#' Detrano, R., Janosi, A., Steinbrunn, W., Pfisterer, M., Schmid, J., Sandhu, S., Guppy, K.,
#' Lee, S. and Froelicher, V. (1989) International application of a new probability algorithm
#' for the diagnosis of coronary artery disease. \emph{American Journal of Cardiology} 64, 304--310.
#' @details Other packages, such as \pkg{survival}, also have a data set \code{heart}, which masks
#' this one if attached later. \code{hetsel::heart} always refers to this data set.
#' @seealso \code{\link{hetsel_rank}}, \code{\link{hetsel_select}}
#' @examples
#' summary(hetsel::heart)
#' if (hetsel_available()) {
#'   hetsel_rank(`diameter narrowing` ~ ., hetsel::heart, size = 5)
#' }
"heart"
