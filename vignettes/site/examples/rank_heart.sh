hetsel rank heart --method rfe-mkl --size 3 --out ranking.csv --plot ranking.png
head -n 4 ranking.csv
