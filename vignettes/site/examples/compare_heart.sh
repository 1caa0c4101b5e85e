cat > heart.toml <<PLAN
name = "heart"
seed = 1
datasets = ["heart"]
methods = ["rfe-mkl", "hfs-nb", "univariate-tests", "variance"]
resamplings = {kind = "k-fold", folds = 10, count = 50}
sizes = [1, 2, 3, 5, 8, 13]
PLAN
hetsel study run heart.toml --jobs 2
hetsel study export heart.toml --out tables
hetsel study report heart.toml --out report.html
ls tables
