"""Kernels of binned columns: sums over a million rows by small tables."""

import numpy as np

from hetsel.compiling.compiled import compiled
from hetsel.kernels.binned import binned_columns
from hetsel.kernels.binned import binned_loops as loops
from hetsel.kernels.normalization import CenteredSums, scale_factors


class BinnedKernels:
    """The clinical kernels k_f of binned columns (n, p), multiplied by factors (p,) or by 1."""

    def __init__(
        self, columns: binned_columns.BinnedColumns, factors: np.ndarray | None = None
    ) -> None:
        self.columns = columns
        self.n, self.p = columns.codes.shape
        self.factors = np.ones(self.p) if factors is None else factors
        nominal, gaps = columns.nominal, columns.gaps
        self.bins = loops.Bins(columns.starts, columns.positions, nominal, gaps, self.factors)

    def subset(self, places: np.ndarray) -> "BinnedKernels":
        """The kernels of some of these columns."""
        if len(places) == self.p:
            return self
        return self._of(np.take(self.columns.codes, places, axis=1), places)

    def narrowed(self, places: np.ndarray) -> "BinnedKernels":
        """Return the kernels of some columns in the same memory; the others are lost."""
        if len(places) == self.p:
            return self
        return self._of(binned_columns.rearranged(self.columns.codes, places), places)

    def _of(self, codes: np.ndarray, places: np.ndarray) -> "BinnedKernels":
        """The kernels of some columns, whose codes are these."""
        rest = self.columns._replace(codes=self.columns.codes[:0]).take(places)
        return BinnedKernels(rest._replace(codes=codes), self.factors[places])

    def head(self, rows: int) -> "BinnedKernels":
        """The kernels of the first rows."""
        columns = self.columns._replace(codes=self.columns.codes[:rows])
        return BinnedKernels(columns, self.factors)

    def bins_of(self, places: np.ndarray) -> np.ndarray:
        """Return the places of the bins of some columns in a table of all bins."""
        starts = self.columns.starts
        return np.concatenate([np.arange(starts[f], starts[f + 1]) for f in places])

    @property
    def largest(self) -> float:
        """The largest entry of a kernel."""
        return float(self.factors.max())

    def sums(self, values: np.ndarray) -> np.ndarray:
        """Sum values (n,) of the rows in each bin (bins,); integers stay integers."""
        out = np.zeros(self.columns.starts[-1], dtype=values.dtype)
        self.add(values, out)
        return out

    def counts(self) -> np.ndarray:
        """Count the rows (bins,) of each bin."""
        return self.sums(np.ones(self.n, dtype=np.int64)).astype(np.float64)

    def add(self, values: np.ndarray, sums: np.ndarray) -> None:
        """Add values (n,) of the rows to their sums (bins,)."""
        loops.add_cells(self.columns.codes, self.columns.starts, values, sums)

    def images(self, sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return K_f B_f (problems, bins) of sums (problems, bins), and the energies s_f (p,)."""
        images, energies = np.empty_like(sums), np.zeros(self.p)
        for problem, image in zip(sums, images, strict=True):
            loops.set_image(self.bins, problem, image, energies)
        return images, energies

    def precise_images(self, sums: np.ndarray, rests: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return images of sums in two parts, in twice the precision, rounded once."""
        images, energies = np.empty_like(sums), np.zeros(self.p)
        for own, rest, image in zip(sums, rests, images, strict=True):
            loops.set_precise_image(self.bins, own, rest, image, energies)
        return images, energies

    def energies(self, beta: np.ndarray) -> np.ndarray:
        """s_f (p,), the sum over the problems of beta' K_f beta, of beta (problems, n)."""
        return self.images(np.array([self.sums(own) for own in beta]))[1]

    def look_up(self, table: np.ndarray) -> np.ndarray:
        """Sum the entries of a table (bins,) over the columns of each row (n,)."""
        out = np.empty(self.n)
        loops.look_up(self.columns.codes, self.columns.starts, table, out)
        return out

    def products(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """The products (p,) of two tables (problems, bins), column by column."""
        out = np.zeros(self.p)
        for one, other in zip(left, right, strict=True):
            loops.add_bin_products(self.columns.starts, one, other, out)
        return out

    def weighted(self, table: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Tables (problems, bins) times a weight for each column (p,)."""
        out = np.empty_like(table)
        for own, scaled in zip(table, out, strict=True):
            loops.scaled(self.columns.starts, own, weights, scaled)
        return out

    def margins(self, beta: np.ndarray, pull: np.ndarray) -> np.ndarray:
        """sum over problems of pull' K_f beta (p,), both (problems, n); see `FeatureKernels`."""
        own = np.array([self.sums(row) for row in beta])
        return self.products(self.images(own)[0], np.array([self.sums(row) for row in pull]))

    def spreads(self) -> np.ndarray:
        """Mean distance 1 - k_f between two rows (p,), each row with itself among them."""
        counts, plain = self.counts(), self.bins._replace(factors=np.ones(self.p))
        image, energies = np.empty_like(counts), np.zeros(self.p)
        loops.set_image(plain, counts, image, energies)
        return np.asarray(1.0 - energies / self.n**2)

    def moved(self, beta: np.ndarray, off: np.ndarray) -> np.ndarray:
        """Bound the change of s_f (p,) by values that move by off (p,) within their bins."""
        out = np.zeros(self.p)
        for own in beta:
            loops.add_bin_motions(self.bins, self.sums(own), self.sums(np.abs(own)), out)
        return out * off * self.factors


def normalized(kind: str, kernels: BinnedKernels) -> BinnedKernels:
    """Normalize the kernels by "norm" or "trace"; see :mod:`hetsel.kernels.normalization`."""
    counts = kernels.counts()
    trace, square = np.zeros((2, kernels.p))
    plain = BinnedKernels(kernels.columns)
    image, _ = plain.images(counts[None])
    add_centered(plain.bins, counts, image[0] / kernels.n, float(kernels.n), trace, square)
    unknown = np.zeros(kernels.p)
    factors = scale_factors(kind, CenteredSums(kernels.n, trace, square, unknown, unknown))
    return BinnedKernels(kernels.columns, factors)


@compiled
def add_centered(bins, counts, means, n, trace, square):
    """trace (p,) += tr A_f, square (p,) += ||A_f||^2, A_f = H K_f H; counts and means (bins,)."""
    for f in range(len(trace)):
        begin, end = bins.starts[f], bins.starts[f + 1]
        gap = end - 1 if bins.gaps[f] else -1
        whole = 0.0
        for a in range(begin, end):
            whole += counts[a] * means[a]
        whole /= n
        for a in range(begin, end):
            own = 0.0
            for b in range(begin, end):
                if bins.nominal[f] or a == gap or b == gap:
                    kernel = 1.0 if a == b else 0.0
                else:
                    kernel = 1.0 - abs(bins.positions[a] - bins.positions[b])
                entry = kernel - means[a] - means[b] + whole
                own += counts[b] * entry * entry
                if a == b:
                    trace[f] += counts[a] * entry
            square[f] += counts[a] * own
