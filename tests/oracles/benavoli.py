"""Naive Bayes and AODE compared by the authors of Benavoli et al. (2017), JMLR 18(77).

Accuracy of AODE minus that of naive Bayes, by ten runs of ten-fold cross-validation of WEKA: in the
100 folds of the data set anneal, and the means on 54 data sets, from the files of their tutorial
(github.com/BayesianTestsML/tutorial), whose accuracies are rounded to 0.001 %. Their notebooks
print the probabilities, by unrounded accuracies on anneal, and by 50,000 draws over data sets.
"""

import numpy as np

ANNEAL = np.array(
    [  # in 0.001 %
        2223, 1111, 2223, 1111, 1111, 1111, 1111, 0, 2247, 3370, 1111, 1111, 2222, 1111,
        1111, 1111, 1111, 6667, 6742, 0, 3333, 3333, 2222, 4445, 1112, 1111, 1111, 0, 1124,
        4494, 2222, 2222, 1111, 4445, 0, 5556, 1111, 3333, 2247, 2247, 0, 1111, 2223, 1111,
        3333, 1111, 4445, 0, 0, 5618, 3334, 3333, 2222, 0, 2223, 3334, 1111, 2223, 3371,
        1124, 1111, 1111, 2222, 0, 5555, 1111, 2222, 0, 2247, 1123, 0, 2222, 1111, 1111,
        1111, 2222, 1111, 0, 1124, 3371, 1111, 1111, 1111, 2222, 3333, 2222, 1112, 0, 4494,
        2247, 2222, 0, 2222, 6667, 2222, 0, 1111, 2222, 2247, 0,
    ]
) / 1e5  # fmt: skip
MEANS = np.array(
    [  # in millionths
        19388, 2609, -4667, 7192, -20000, 4638, 10145, 1506, 72688, 7900, 25996, -43625,
        6140, 0, 6250, 690, 2121, 16834, -2667, 32417, 8333, 0, 17619, 18625, 100016, 3429,
        41901, 24336, 47473, 35482, -5833, 100427, 4434, -13333, 6738, 39221, 27756, 6884,
        39963, 3381, 11123, 32841, 16837, 6991, 3667, 56000, 4000, 169091, 50400, 18095,
        -5000, -1426, 2023, 6818,
    ]
) / 1e6  # fmt: skip
PRINTED_ANNEAL = (3.0353909763469744e-07, 0.04570306097263277, 0.9542966354882696)  # rope 0.01
PRINTED_SIGNED_RANK = (0.0, 0.1232, 0.8768)  # rope 0.01, prior of strength 0.6
PRINTED_SIGN = (0.0, 0.70744, 0.29256)  # rope 0.01, prior of strength 1
