library(hetsel)
ranking <- hetsel_rank(`diameter narrowing` ~ ., heart, method = "rfe-mkl", size = 3)
print(ranking)
plot(ranking)
