# A mixed table in which `dose` and `site` tell the classes apart.
mixed <- function(n = 60) {
  k <- seq_len(n)
  sick <- k %% 3 == 0
  list(
    x = data.frame(
      dose = sin(k) + 2 * sick,
      age = 40L + as.integer((7 * k) %% 31),
      site = factor(ifelse(k %% 5 == 0, "hip", ifelse(sick, "knee", "hand"))),
      stage = factor(c("low", "mid", "high")[1 + k %% 3 %/% 2 + (k %% 5 == 0)],
        levels = c("low", "mid", "high"), ordered = TRUE
      ),
      smoker = (k %% 4 == 0),
      name = c("a", "b", "c")[1 + (k %/% 2) %% 3],
      seen = as.Date("2020-01-01") + (11 * k) %% 97,
      stringsAsFactors = FALSE
    ),
    y = factor(ifelse(sick, "sick", "well"))
  )
}

# The columns as Python reads them, by name.
columns_read <- function(x, ...) {
  y <- rep(c("u", "v"), length.out = nrow(x))
  columns <- hetsel_rank(x, y, ...)$columns
  rownames(columns) <- columns$name
  columns
}

order_of <- function(...) hetsel_rank(...)$ranking$feature
