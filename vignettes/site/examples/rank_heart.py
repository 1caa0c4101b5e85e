import hetsel

heart = hetsel.datasets.load("heart")
ranking = hetsel.RFEMKL(size=3).fit(heart.X, heart.y)
print(ranking.frame().to_string(index=False))
print(ranking.get_feature_names_out())
hetsel.plot_ranking(ranking, path="rank.png", data="heart")
