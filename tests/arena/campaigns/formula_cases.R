# The tables and the sixty formulas of formulas.R, which reads this file.

# Rows of the fit, and those to predict.
parted <- function(table, later) {
  old <- table[!later, ]
  if (length(seed)) {
    set.seed(as.integer(seed))
    old <- old[sample(nrow(old)), ]
  }
  list(old = old, new = table[later, ])
}

infert <- within(infert, { # the cases are matched by age and parity, which would tell nothing
  case <- sin(stratum * seq_len(248)) + age / 15 + parity / 3 - (education == "12+ yrs") > 2.5
})
women <- within(infert, {
  age <- age + stratum / 100
  weeks <- replace(3 * age + parity, seq(5, 248, 29), NA)
  started <- as.Date("2020-01-01") + 7 * stratum
  stage <- factor(c("low", "mid", "high")[1 + induced], c("low", "mid", "high"), ordered = TRUE)
  ward <- replace(c("north", "south", "east")[1 + stratum %% 3], seq(3, 248, 31), NA)
})
women[["age in years"]] <- women$age
tables <- list(
  women = parted(women, women$stratum > 50), infert = parted(infert, infert$stratum > 50),
  cars = parted(mtcars, mtcars$carb == 4 | mtcars$gear == 5),
  air = parted(airquality, airquality$Day > 20), iris = parted(iris, seq_len(150) %% 3 == 0),
  teeth = parted(ToothGrowth, seq_len(60) %% 4 == 0),
  lung = parted(subset(lung, !is.na(inst)), which(!is.na(lung$inst)) %% 4 == 0),
  veteran = parted(veteran, seq_len(137) %% 4 == 0)
)
new_levels <- c("high", "mid", "low") # in another order
tables$women$new$stage <- factor(tables$women$new$stage, new_levels, ordered = TRUE)
tables$women$new$outside <- tables$women$new$age + 100

# A formula, or what calls `fit` with one; `by_hand` makes the columns of rows (x) where the peer
# does not, `of` being the rows of the fit; `rows` says which of these are used; `nominal` names a
# column that is given by its position or by a mask; `groups` the column that cluster() names.
case <- function(peer, table, fit, by_hand = NULL, rows = NULL, nominal = NULL, groups = NULL) {
  formula <- fit
  if (inherits(formula, "formula")) {
    fit <- function(fit, data) fit(formula, data)
  }
  as.list(environment())
}

every_case <- function() {
  power <- function(k) function(x) x^k
  passed_on <- function(fit, formula, ...) (function(...) fit(formula, ...))(...)
  on <- function(peer, table) function(...) case(peer, table, ...)
  y <- on("glm", "women")
  two <- list(
    y(function(fit, data) {
      k <- 0.01
      made <- fit(case ~ log(age + k) + parity, data)
      if (inherits(made, "hetsel_machine")) k <- 50 # which the peer follows
      made
    }),
    y(function(fit, data) {
      k <- 0.01
      f <- function(x) log(x + k)
      g <- function(x, by = 2 * k) f(x) + by * stats::median(c(1, 2, 9))
      fit(case ~ g(age) + induced, data)
    }),
    y(function(fit, data) {
      f <- function(x) vapply(x, function(v) median(c(v, 30)) + log(k), 0)
      k <- 2
      fit(case ~ f(age) + weeks, data)
    }),
    y(function(fit, data) {
      square <- power(2)
      fit(case ~ square(parity) + square(log(age)), data)
    }),
    y(function(fit, data) {
      model <- lm(age ~ parity, infert)
      fit(case ~ predict(model, data.frame(parity = parity)) + age, data)
    }),
    y(function(fit, data) {
      shift <- c(`0-5yrs` = 1, `6-11yrs` = 5, `12+ yrs` = 9)
      bounds <- c(0, 25, 35, 99)
      fit(case ~ shift[as.character(education)] + cut(age, bounds), data)
    }),
    y(function(fit, data) {
      outside <- 2 * data$age
      fit(case ~ log(outside) + age, data)
    }),
    y(function(fit, data) {
      origin <- as.Date("2019-01-01")
      fit(case ~ as.numeric(started - origin) + months(started), data)
    }),
    y(case ~ scale(age) + scale(parity, center = FALSE)),
    y(case ~ poly(age, 1) + ns(log(age), df = 1)),
    y(case ~ splines::bs(age, degree = 1) + stage),
    y(case ~ ifelse(parity > 2, "many", "few") + weeks + ward),
    y(case ~ factor(parity) + relevel(education, "12+ yrs")),
    y(case ~ interaction(education, induced) + addNA(ward)),
    y(case ~ log(`age in years`) + is.na(weeks) + with(list(a = 2), parity^a)),
    y(case ~ . - stratum - pooled.stratum),
    y(function(fit, data) {
      fit(case ~ age + parity + ward, data, nominal = match("parity", names(data)))
    }, nominal = "parity"),
    y(function(fit, data) {
      fit(case ~ weeks + parity + stage, data, nominal = names(data) == "parity")
    }, nominal = "parity"),
    y(function(fit, data) update(fit(case ~ age + parity, data), . ~ . - parity + sqrt(weeks))),
    y(function(fit, data) {
      titled <- function(x) toTitleCase(paste(x, "of school"))
      do.call(fit, list(case ~ weeks + titled(education), data))
    }),
    y(case ~ age > median(age[ward == "east"], na.rm = TRUE), function(x, of) {
      list(x$age > median(of$age[of$ward == "east"], na.rm = TRUE))
    }),
    y(case ~ cut(age, quantile(age, 0:3 / 3), c("a", "b", "c")), function(x, of) {
      list(cut(x$age, quantile(of$age, 0:3 / 3), c("a", "b", "c")))
    }),
    y(case ~ poly(age, 2)[, 2] + base::scale(parity), function(x, of) {
      list(predict(poly(of$age, 2), x$age)[, 2], (x$parity - mean(of$parity)) / sd(of$parity))
    })
  )
  y <- on("lm", "cars")
  z <- on("lm", "air")
  numbers <- list(
    y(function(fit, data) {
      k <- 3
      fit(mpg ~ log(hp + k) + Reduce(function(a, b) a * k + b, list(wt, qsec)), data)
    }),
    y(mpg ~ poly(hp, 1) + factor(cyl)),
    y(log(mpg) ~ ns(wt, df = 1) + factor(am, 0:1, c("auto", "manual"))),
    y(mpg ~ . - disp - carb),
    y(function(fit, data) passed_on(fit, mpg ~ I(hp / wt) + qsec, data)),
    y(function(fit, data) fit(update(mpg ~ hp, sqrt(.) ~ . + sqrt(wt)), data)),
    y(function(fit, data) {
      lapply(c("hp", "wt"), function(name) {
        fit(reformulate(c(sprintf("log(%s)", name), "qsec"), "mpg"), data)
      })[[2]]
    }),
    z(Temp ~ Ozone + Solar.R + scale(Wind)),
    z(function(fit, data) fit(Temp ~ log(Ozone) + factor(Month), data, na.action = na.omit),
      rows = quote(!is.na(Ozone))
    ),
    z(function(fit, data) {
      k <- 20
      fit(Temp ~ ifelse(is.na(Ozone), k, Ozone) + cut(Solar.R, c(0, 100, 200, 400)), data)
    }),
    case("lm", "teeth", function(fit, data) {
      fit(len ~ scale(dose) + supp, data, subset = dose > 0.5)
    }, rows = quote(dose > 0.5)),
    y(mpg ~ I((hp - mean(hp)) / sd(hp)) + wt, function(x, of) {
      list((x$hp - mean(of$hp)) / sd(of$hp), x$wt)
    }),
    y(mpg ~ ecdf(hp)(hp) + wt, function(x, of) list(ecdf(of$hp)(x$hp), x$wt)),
    z(Temp ~ ifelse(is.na(Ozone), median(Ozone, na.rm = TRUE), Ozone), function(x, of) {
      list(ifelse(is.na(x$Ozone), median(of$Ozone, na.rm = TRUE), x$Ozone))
    }),
    z(Temp ~ pmin(Wind, quantile(Wind, 0.9)) + log(scale(Day) + 9), function(x, of) {
      day <- (x$Day - mean(of$Day)) / sd(of$Day)
      list(pmin(x$Wind, quantile(of$Wind, 0.9)), log(day + 9))
    })
  )
  y <- on("coxph", "lung")
  z <- on("coxph", "veteran")
  times <- list(
    y(function(fit, data) {
      k <- 0.5
      f <- function(x) sqrt(x + k)
      fit(Surv(time, status) ~ f(age) + f(ph.karno), data)
    }),
    y(survival::Surv(time / 30, status == 2) ~ poly(age, 1) + factor(sex)),
    y(Surv(time, status) ~ scale(meal.cal) + ns(age, df = 1) + wt.loss),
    y(Surv(time, status) ~ . - inst),
    y(Surv(time, status) ~ age + cluster(inst) + ph.ecog, groups = "inst"),
    y(Surv(time, status) ~ cut(age, c(0, 60, 70, 99)) + ifelse(is.na(wt.loss), 0, wt.loss)),
    y(function(fit, data) fit(as.formula(paste("Surv(time, status) ~", "sex + log(age)")), data)),
    y(function(fit, data) fit(Surv(time, status) ~ scale(age) + sex, data, subset = age > 50),
      rows = quote(age > 50)
    ),
    z(Surv(time, status) ~ relevel(celltype, "large") + log(diagtime)),
    z(Surv(time, status) ~ interaction(celltype, prior) + karno),
    z(Surv(time, status) ~ I(karno / sd(karno)) + trt, function(x, of) {
      list(x$karno / sd(of$karno), x$trt)
    }),
    y(Surv(time, status) ~ I(age - mean(age)) + sex, function(x, of) {
      list(x$age - mean(of$age), x$sex)
    })
  )
  y <- on("randomForest", "infert") # it takes no calls as features
  z <- on("randomForest", "iris")
  trees <- list(
    z(Species ~ .), z(Species ~ . - Sepal.Width), z(cut(Sepal.Length, 3) ~ Petal.Width + Species),
    y(factor(case) ~ age + education + parity),
    y(function(fit, data) {
      fit(factor(case) ~ age + parity, data, nominal = match("parity", names(data)))
    }, nominal = "parity"),
    y(function(fit, data) {
      k <- 30
      fit(factor(age > k) ~ parity + education, data)
    }),
    y(function(fit, data) {
      fit(as.formula(paste("factor(case) ~", paste(names(data)[1:3], collapse = "+"))), data)
    }),
    y(function(fit, data) do.call(fit, list(update(factor(case) ~ age, . ~ . + induced), data))),
    case("randomForest", "air", function(fit, data) fit(Temp ~ ., data, na.action = na.omit),
      rows = quote(!is.na(Ozone) & !is.na(Solar.R))
    ),
    case("randomForest", "cars", function(fit, data) {
      passed_on(fit, factor(mpg > median(mpg)) ~ hp + wt + cyl, data)
    })
  )
  c(two, numbers, times, trees)
}
