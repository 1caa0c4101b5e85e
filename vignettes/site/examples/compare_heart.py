import hetsel

study = hetsel.Study(
    "heart",
    datasets=["heart"],
    methods=["rfe-mkl", "hfs-nb", "univariate-tests", "variance"],
    resamplings={"kind": "k-fold", "folds": 10, "count": 50},
    sizes=[1, 2, 3, 5, 8, 13],
    seed=1,
)
results = study.run("heart.sqlite", jobs=2, progress=False)
print(results.digest())
print(hetsel.compare_methods(results))
hetsel.save_figures(results, "figures", ".png")
hetsel.write_report(results, "report.html")
