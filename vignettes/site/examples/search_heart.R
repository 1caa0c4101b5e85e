library(hetsel)
path <- hetsel_search(
  `diameter narrowing` ~ ., heart,
  search = "sffs", criterion = "5nn", ties = 0.01
)
print(path)
plot(path)
