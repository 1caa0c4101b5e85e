#' @param row_groups Group of each row, such as the patient; confidence intervals account for the
#'   groups. \code{"copies"} (default): hetsel looks for groups itself: duplicate rows (equal or
#'   nearly equal), and rows with the same value in a column whose name marks an identifier, such as
#'   patient. If it finds duplicate rows and an identifier, it uses whichever puts more rows into
#'   groups. An identifier that hetsel finds stays a feature in any case. \code{"rows"}: each row is
#'   a separate group.
#' @param row_weights Weight of each row; 0 leaves the row out.
#' @param seen Handling of rows that are equal or nearly equal to a training row. \code{"error"}:
#'   refuse them. \code{"drop"}: leave them out.
#' @param prevalence Prevalence of the positive class where the model will be used. For more than
#'   two classes, a vector with each class: \code{c(A = 0.1, B = 0.2, C = 0.7)}. Specify it if the
#'   study fixed the number of rows of each class, as in a case-control study. Predicted
#'   probabilities and their performance then refer to this prevalence.
#' @param thresholds Thresholds at which positive and negative predictive value and net benefit are
#'   reported. Default: 0.05, 0.1, 0.2, 0.3 and 0.5, with a decision curve from 0.01 to 0.99. If you
#'   specify thresholds, the curve goes from the smallest to the largest of them.
#' @param harm_ratio Harm of a missed case divided by the harm of an unnecessary treatment. A ratio
#'   r adds the threshold 1 / (1 + r) to \code{thresholds}; with \code{by}, sensitivity and
#'   specificity of each subgroup are reported at this threshold. The classes that the model
#'   predicts do not depend on it.
#' @param by Columns that define subgroups; performance is also reported in each subgroup. Each
#'   level is a subgroup. A column with more than 6 different numbers is divided into 3 subgroups of
#'   similar size: low, middle and high numbers.
