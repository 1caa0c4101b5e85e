hetsel select heart --jobs 2 --save signature.json --report signature.html
hetsel predict signature.json heart --out predicted.csv
head -n 4 predicted.csv
