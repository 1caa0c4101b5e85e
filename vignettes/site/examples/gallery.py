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
# Features that one step dropped stand in one band: only their bars compare.
ranking = hetsel.RFEMKL().fit(heart.X, heart.y)
hetsel.plots.plot_ranking(ranking, file="ranking.png", data="heart")

# %% A filter: filter.png
# All bars compare; the kinds have colors of their own.
relief = hetsel.get_method("relieff")().fit(heart.X, heart.y)
hetsel.plots.plot_ranking(relief, file="filter.png", data="heart")

# %% A search over subsets: search.png
# Above the inner score of each size, below the features that come and leave.
search = hetsel.SubsetSearch(search="dos", criterion="5nn", ties=0.01).fit(heart.X, heart.y)
hetsel.plots.plot_path(search, file="search.png", data="heart")

# %% What a signature is worth: performance.png
# Rates with intervals, and permuted labels: in the page of `hetsel.write_signature_report`.
facts = signature.facts()
save_figure(signature_figures.plot_performance(facts), "performance.png")

# %% How the size was chosen, and what halves of the rows select: choice.png
# In the page of `hetsel.write_signature_report`.
chosen = hetsel.Signature(repeats=1, permutations=0, pairs=25).fit(heart.X, heart.y)
save_figure(signature_figures.plot_choice(chosen.facts()), "choice.png")

# %% What each feature does: pieces.png
# A point for each row behind a piece: in the page of `hetsel.write_signature_report`.
save_figure(signature_figures.plot_pieces(facts), "pieces.png")

# %% Performance by size: one/performance-by-size.png
# One call writes all figures of a study; so does `hetsel study report --figures`.
hetsel.plots.save_figures(on_heart, "one", ".png")

# %% Stability against performance: one/stability-against-performance.png
# Of the same call.

# %% Seconds: one/cpu-seconds.png
# Of the same call.

# %% All measures of a data set by size: one/curves-heart.png
# Of the same call.

# %% Which features the resamplings select: one/selection-heart.png
# Of the same call.

# %% Effects of a model on all rows: one/effects-heart.png
# Of the same call.

# %% Several data sets: six/performance-by-size.png
hetsel.plots.save_figures(results, "six", ".png")

# %% Mean ranks with the critical difference: six/mean-ranks.png
# From six data sets on, of the same call.

# %% Mean ranks, each method at its own size: six/diagram-own-size.png
# Of the same call.

# %% Mean ranks as Paul et al. (2015) print them: six/diagram-printed-one-size.png
# Of the same call.

# %% The diagram of any scores: demsar.png
# Methods that a bar joins do not differ significantly.
at_four = results.summary().query("size == 4")
scores = at_four.pivot(index="dataset", columns="method", values="bcr")
ranks = hetsel.stats.nemenyi(hetsel.stats.friedman(scores))
save_figure(critical_difference.plot_critical_difference(ranks), "demsar.png")
