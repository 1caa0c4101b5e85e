import hetsel

heart = hetsel.datasets.load("heart")
signature = hetsel.Signature(n_jobs=2).fit(heart.X, heart.y)
print(signature.summary())
print(signature.predict(heart.X.head(3)))
signature.save("signature.json")
hetsel.write_signature_report(signature, "signature.html")
