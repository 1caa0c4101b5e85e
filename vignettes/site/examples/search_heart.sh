hetsel search heart --search sffs --criterion 5nn --ties 0.01 --out path.csv --plot path.png
