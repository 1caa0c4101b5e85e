import hetsel

heart = hetsel.datasets.load("heart")
search = hetsel.SubsetSearch(search="sffs", criterion="5nn", ties=0.01)
path = search.fit(heart.X, heart.y).answer_
for size in path.sizes:
    names = heart.X.columns[path.signature(size)]
    print(size, round(path.score(size), 3), *names, sep="  ")
print("selected:", *search.get_feature_names_out(), sep="  ")
hetsel.plot_path(search, path="search.png", data="heart")
