from collections.abc import Iterator

import numpy as np

from hetsel.ground import TableError, whole_number
from hetsel.ground.equal_numbers import tied
from hetsel.kernels import kernel_products, target_kernels
from hetsel.selection import About, BaseSelector, Cost, Problem, Ranking, order_best_first
from hetsel.solvers.nonnegative_lasso import Knot, nonnegative_path
from hetsel.tables import Column, Schema, Table, canonical_form

KERNELS = {"gaussian": kernel_products.GAUSSIAN, "clinical": kernel_products.CLINICAL}
AT_ONCE = 512  # features up to which all products cost no more than those of the first that enter


class HSICLasso(BaseSelector):
    """Rank features by where they enter the path of HSIC Lasso, in blocks of rows.

    minimize (1 / 2m) sum_blocks ||L - sum_f a_f K_f||_F^2 + lambda sum_f a_f   over a >= 0

    as lambda decreases: relevance <K_f, L> to the target is rewarded, redundancy <K_f, K_g> is
    penalized. Columns of all kinds and all targets are accepted. Prefer HSIC Lasso for wide tables
    with redundant features, since its time grows with n p k for k selected features.

    In each of the m blocks of rows K_f is the kernel of the feature, centered and divided by its
    Frobenius norm. The kernel is exp(-(a - b)^2 / (2 s_f^2)) for continuous and ordinal columns,
    with s_f the standard deviation over all rows, and I(a = b) for a nominal column. L is the
    kernel of the classes I(y_i = y_j) / n_y, with n_y rows in the block, in the same form. For a
    numeric target and survival times L is the kernel of `hsic`, made of all rows: exp(-(y_i -
    y_j)^2 / (2 s^2)), and the matrix of the kernel log-rank test. With missing="separate" two
    missing values are equal, and a missing value has k = 0 with all others.

    The importance of a feature is the lambda at which it enters, or would enter if it were not a
    copy of one that has entered. The importance of a feature that never enters is its pull <K_f, L
    - sum_g a_g K_g> at the end of the path, 0 if negative. Ties go to the larger relevance.

    Parameters
    ----------
    kernel : {"gaussian", "clinical"}
        Kernel of continuous and ordinal columns; the clinical one is 1 - |a - b| / range_f.
    centering : {"biased", "unbiased"}
        "biased" is H K H, as published. "unbiased" is the centering whose products have mean 0 for
        independent columns. With "biased" an uninformative column gains relevance with its number
        of levels, the more the smaller the blocks; with "unbiased" uninformative columns of all
        kinds are treated alike.
    block_size : int, optional
        Minimum number of rows in a block: the rows are shuffled and cut into blocks of nearly equal
        size. None, or more than half of the rows, takes all rows as one block and draws nothing.
    permutations : int
        Number of times that the rows are shuffled and cut; all blocks count.
    depth : int
        Number of features, or the largest requested size, after which the path may end.

    Attributes
    ----------
    answer_ : Ranking
        Its extras are `relevance` (p,), the mean of <K_f, L> over the blocks, and `coefficient`
        (p,), a_f at the end of the path.

    Notes
    -----
    A column of two values has the same K_f as a continuous and as a nominal column. I(a = b)
    depends mainly on the frequent levels. With the weights 1 / n_level, which L has, a level of a
    single row would count as much as a level of half the rows.

    See Also
    --------
    HSIC : The relevance of each feature alone.
    MRMR : Relevance minus redundancy by mutual information.
    GroupLasso : The path of a linear model.

    References
    ----------
    Yamada, Jitkrittum, Sigal, Xing and Sugiyama 2014, Neural Computation 26, 185-207, Eq. 4;
    Climente-Gonzalez, Azencott, Kaski and Yamada 2019, Bioinformatics 35, i427-i435 (blocks); Song,
    Smola, Gretton, Bedo and Borgwardt 2012, Journal of Machine Learning Research 13, 1393-1434, Eq.
    5 (unbiased).

    Examples
    --------
    >>> from hetsel import HSICLasso, datasets
    >>> heart = datasets.load("heart")
    >>> HSICLasso(size=3).fit(heart.X, heart.y).get_feature_names_out().tolist()
    ['chest pain', 'major vessels colored', 'thal']
    """

    kernel: str = "gaussian"
    centering: str = "biased"
    block_size: int | None = 100
    permutations: int = 3
    depth: int = 1000

    use_of_sizes = "depth"
    about = About(
        "HSIC Lasso: relevance and redundancy of kernels, in blocks of rows",
        paper="Yamada et al. 2014; Climente-Gonzalez et al. 2019",
        cost=Cost("n p k", "3 n p + n k"),
        targets=("classes", "numbers", "survival"),
        draws=True,
    )

    def _select(self, problem: Problem) -> Ranking:
        for name, legal in (("kernel", [*KERNELS]), ("centering", kernel_products.CENTERINGS[1:])):
            if getattr(self, name) not in legal:
                got = getattr(self, name)
                raise TableError(f"{name} must be one of {', '.join(legal)}. Got {got!r}")
        for name in ("permutations", "depth"):
            whole_number(name, getattr(self, name), 1)
        columns, kernels, back, directions = _canonical_columns(problem, KERNELS[self.kernel])
        blocks = row_blocks(problem, self.block_size, self.permutations)
        p = problem.p

        def products(features: np.ndarray | None) -> np.ndarray:
            sums = kernel_products.kernel_products(
                columns,
                kernels,
                features,
                blocks=blocks,
                centering=self.centering,
                normalized=True,
                directions=directions,
            )
            return sums[:p] / len(blocks)

        if p <= AT_ONCE:
            gram = products(None)
            relevance = gram[:, p]
            path = nonnegative_path(relevance, lambda features: gram[:, features])
        else:
            relevance = products(np.array([p]))[:, 0]
            path = nonnegative_path(relevance, products)
        importance, coefficients = _entries(path, p, max((self.depth, *problem.sizes)))
        importance, relevance = tied(importance)[back], tied(relevance)[back]
        extras = {"relevance": relevance, "coefficient": coefficients[back]}
        known = np.nan_to_num(columns[back], nan=-1.0)
        varies = (known != known[:, :1]).any(axis=1)
        return Ranking(order_best_first(importance, varies, relevance), importance, extras=extras)


def _entries(path: Iterator[Knot], p: int, wanted: int) -> tuple[np.ndarray, np.ndarray]:
    """Return lambda (p,) at which features enter, up to `wanted` of them, and coefficients (p,)."""
    importance, out = np.zeros(p), np.ones(p, dtype=bool)
    for knot in path:
        importance[out & knot.reached] = knot.penalty
        out &= ~knot.reached
        if p - out.sum() >= wanted:
            break
    importance[out] = np.clip(knot.pulls[out], 0.0, knot.penalty)
    return importance, knot.coefficients


def row_blocks(problem: Problem, block_size: int | None, permutations: int) -> list[np.ndarray]:
    """Draw the rows of each block by the seed of the problem; one block if two do not fit."""
    if block_size is None:
        return [np.arange(problem.n)]
    block_size = whole_number("block_size", block_size, 4)
    count = problem.n // block_size
    if count < 2:
        return [np.arange(problem.n)]
    rng = problem.rng()
    shuffled = [rng.permutation(problem.n) for _ in range(permutations)]
    return [rows for order in shuffled for rows in np.array_split(order, count)]


def _canonical_columns(
    problem: Problem, kernel: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray | None]:
    """Return columns and target (p + 1, n) in canonical order, kernels, places and directions.

    The directions (m, n) are those of a target without classes. The target is a column of the
    ordered table, so that the order of the rows depends on which rows share a class, not on its
    name.
    """
    table, p, of_classes = problem.table, problem.p, problem.target.kind == "classes"
    name = max(table.names, key=len) + "'"
    content = problem.target.content
    levels = tuple(range(int(content.max()) + 1)) if of_classes else ()
    target = Column(name, "nominal" if of_classes else "continuous", levels)
    values = np.column_stack([table.values, content])
    whole = Table(values, Schema((*table.schema.columns, target)))
    form = canonical_form(whole, np.zeros(problem.n, dtype=np.int64))
    last = np.argsort(form.columns == p, kind="stable")
    columns = form.cells[last]
    told = kernel_products.CLASS if of_classes else kernel_products.DIRECTIONS
    kernels = np.append(np.where(form.nominal[last[:-1]], kernel_products.EQUAL, kernel), told)
    for f in np.flatnonzero(kernels == kernel_products.GAUSSIAN):
        columns[f] /= _spread(columns[f])
    back = np.empty(p, dtype=np.intp)
    back[form.columns[last[:-1]]] = np.arange(p)
    directions = (
        None
        if of_classes
        else target_kernels.target_directions(problem.target.canonical(form.rows))
    )
    return columns, kernels, back, directions


def _spread(column: np.ndarray) -> float:
    """Return the standard deviation of the present values; 1 if they are all equal."""
    present = column[~np.isnan(column)]
    spread = float(present.std()) if len(present) else 0.0
    return spread if spread > 0 else 1.0
