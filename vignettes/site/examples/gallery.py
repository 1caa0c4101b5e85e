from sklearn.datasets import load_breast_cancer, load_iris, load_wine

import hetsel
from hetsel.report.figures import critical_difference, signature_figures
from hetsel.report.figures.figure_style import save_figure

heart = hetsel.datasets.load("heart")
signature = hetsel.Signature(size=4, repeats=1, permutations=99, pairs=25)
signature.fit(heart.X, heart.y)
tables = [heart, hetsel.datasets.simulate_linear(150, levels=3)]
tables.append(hetsel.datasets.simulate_nonlinear(150, levels=3))
others = {"cancer": load_breast_cancer, "iris": load_iris, "wine": load_wine}
for name, loader in others.items():
    x, y = loader(return_X_y=True, as_frame=True)
    tables.append({"name": name, "X": x, "y": y})
keys = ["rfe-mkl", "rfe-svm", "hfs-nb", "univariate-tests", "mrmr", "variance"]
study = hetsel.Study("six", datasets=tables, methods=keys, resamplings=10, sizes=[1, 2, 4])
results = study.run("six.sqlite", n_jobs=2, progress=False)
alone = hetsel.Study("one", datasets=["heart"], methods=keys[:4], resamplings=20)
on_heart = alone.run("one.sqlite", n_jobs=2, progress=False)

# %% A ranking: ranking.png
# A band is one step of the elimination. Compare bars only within a band.
ranking = hetsel.RFEMKL().fit(heart.X, heart.y)
hetsel.plots.plot_ranking(ranking, file="ranking.png", data="heart")

# %% A filter: filter.png
# All bars are comparable. Colors are kinds of features.
relief = hetsel.get_method("relieff")().fit(heart.X, heart.y)
hetsel.plots.plot_ranking(relief, file="filter.png", data="heart")

# %% A search over subsets: search.png
# Above: the inner score of each size. Below: the features that enter and leave.
search = hetsel.SubsetSearch(search="dos", criterion="5nn", ties=0.01).fit(heart.X, heart.y)
hetsel.plots.plot_path(search, file="search.png", data="heart")

# %% Performance of a signature: performance.png
# Estimates with 95% CIs, and the permutation test. From the report of
# `hetsel.write_signature_report`.
facts = signature.facts()
save_figure(signature_figures.plot_measures(facts), "performance.png")

# %% Choice of the size, and selection frequencies: choice.png
# From the report of `hetsel.write_signature_report`.
chosen = hetsel.Signature(repeats=1, permutations=0, pairs=25).fit(heart.X, heart.y)
save_figure(signature_figures.plot_choice(chosen.facts()), "choice.png")

# %% Effect of each feature: pieces.png
# One point per row behind each part. From the report of `hetsel.write_signature_report`.
save_figure(signature_figures.plot_pieces(facts), "pieces.png")

# %% Performance by size: one/performance-by-size.png
# One call writes all figures of a study, as `hetsel study report --figures` does.
hetsel.plots.save_figures(on_heart, "one", ".png")

# %% Stability against performance: one/stability-against-performance.png
# From the same call.

# %% Seconds: one/cpu-seconds.png
# From the same call.

# %% All measures of a data set by size: one/curves-heart.png
# From the same call.

# %% Which features the resamplings select: one/selection-heart.png
# From the same call.

# %% Effects of a model on all rows: one/effects-heart.png
# From the same call.

# %% Several data sets: six/performance-by-size.png
hetsel.plots.save_figures(results, "six", ".png")

# %% Mean ranks with the critical difference: six/mean-ranks.png
# From six data sets on, from the same call.

# %% Mean ranks, each method at its own size: six/diagram-own-size.png
# From the same call.

# %% Mean ranks as Paul et al. (2015) print them: six/diagram-printed-one-size.png
# From the same call.

# %% The diagram of any scores: demsar.png
# Methods joined by a bar do not differ significantly.
at_four = results.summary().query("size == 4")
scores = at_four.pivot(index="dataset", columns="method", values="bcr")
ranks = hetsel.stats.nemenyi(hetsel.stats.friedman(scores))
save_figure(critical_difference.plot_critical_difference(ranks), "demsar.png")
