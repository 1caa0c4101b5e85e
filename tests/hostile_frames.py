"""Frames with columns of every dtype that a table may hold."""

import numpy as np
import pandas as pd


def hostile_frame(n=150, seed=0):
    """Columns of every dtype, with and without missing cells."""
    draw = np.random.default_rng(seed)
    gaps = draw.random(n) < 0.1
    whole, numbers = draw.integers(-120, 120, n), draw.normal(size=n)
    texts = draw.choice(["b", "a", "é", " c"], n).astype(object)
    days = pd.Timestamp("2020-02-28") + pd.to_timedelta(draw.integers(0, 9999, n), unit="D")
    with_none = np.where(gaps, None, texts)
    signaling = np.where(gaps, np.uint64(0x7FF00000000007A2), numbers.view(np.uint64))
    frame = pd.DataFrame(
        {
            "number": numbers,
            "gaps": np.where(gaps, np.nan, numbers),
            "signaling": signaling.view(np.float64),
            "zeros": np.where(gaps, -0.0, whole.clip(0)),
            "short": numbers.astype(np.float32),
            "half": numbers.astype(np.float16),
            "long": numbers.astype(np.longdouble),
            "byte": whole.astype(np.int8),
            "unsigned": whole.astype(np.uint64) // 4096,
            "flag": whole > 0,
            "constant": np.full(n, 7.5),
            "nullable": pd.array(np.where(gaps, None, whole), dtype="Int64"),
            "nullable_float": pd.array(np.where(gaps, None, numbers), dtype="Float32"),
            "nullable_flag": pd.array(np.where(gaps, None, whole > 0), dtype="boolean"),
            "object": pd.Series(np.where(gaps, None, whole), dtype=object),
            "text": pd.Series(with_none, dtype="str"),
            "text_objects": pd.Series(with_none, dtype=object),
            "arrow_text": pd.Series(with_none, dtype="string[pyarrow]"),
            "mixed": pd.Series(np.where(gaps, 3, texts), dtype=object),
            "many": [f"t{k}" for k in draw.permutation(n)],
            "category": pd.Categorical(with_none, categories=["é", "a", "b", " c", "unused"]),
            "ordered": pd.Categorical(whole // 60, ordered=True),
            "day": days,
            "day_gaps": days.where(~gaps),
            "span": days - days[0],
            "period": days.to_period("M"),
            "settled": whole // 50,
            "measured": pd.Categorical(whole // 7),
            "iso": days.strftime("%Y-%m-%d"),
        }
    )
    return frame.set_index(pd.Index(draw.integers(0, 5, n)))


OPTIONS = {"ordinal": ["settled"], "continuous": ["measured", "iso"]}
