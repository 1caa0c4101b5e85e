"""Heart failure: survival of 299 patients, 6 continuous and 5 categorical features."""

from hetsel.datasets.dataset import Dataset
from hetsel.datasets.originals import GITHUB, Original
from hetsel.datasets.parsing import read_rows, typed
from hetsel.tables import survival

ORIGINAL = Original(
    "heart_failure/heart_failure_clinical_records_dataset.csv",
    "1ee01a9aa287a1e0cf89e9b8de3c14d7b7bb08cebb59c011504125115031cef0",
    f"{GITHUB}/yesimyigitbasi/heart-failure-data-analysis/"
    "5660a736abe14b6291e28ceede8453219304eb40/heart_failure_clinical_records_dataset.csv",
)
DESCRIPTION = (
    "Patients with heart failure in two hospitals of Faisalabad, 2015: 299 rows, 6 continuous and "
    "5 categorical features, 11 missing cells of this copy. The target is the time until death, in "
    "days: 96 rows with an event, 203 right-censored at the end of follow-up."
)
CITATION = (
    "Ahmad, T., Munir, A., Bhatti, S. H., Aftab, M., & Raza, M. A. (2017). Survival analysis of "
    "heart failure patients: a case study. PLoS ONE, 12, e0181001; Chicco, D., & Jurman, G. "
    "(2020). Machine learning can predict survival of patients with heart failure from serum "
    "creatinine and ejection fraction alone. BMC Medical Informatics and Decision Making, 20, 16."
)
LICENSE = "CC BY 4.0 (UCI Machine Learning Repository)"
CONTINUOUS = (
    *("age", "creatinine_phosphokinase", "ejection_fraction", "platelets", "serum_creatinine"),
    "serum_sodium",
)


def load_heart_failure() -> Dataset:
    """The heart failure table (299 x 11), with the time until death.

    The time of follow-up is no feature: it ends with the death.

    Returns
    -------
    Dataset
        y is a structured array, see :func:`hetsel.survival`: days, and whether the patient died.
    """
    header, *rows = read_rows(ORIGINAL.fetch())
    columns = dict(zip(header, map(list, zip(*rows, strict=True)), strict=True))
    y = survival([float(cell) for cell in columns.pop("time")], columns.pop("DEATH_EVENT"))
    known = {
        name: ["?" if cell == "" else cell for cell in cells] for name, cells in columns.items()
    }
    return Dataset("heart-failure", typed(known, CONTINUOUS), y, DESCRIPTION, CITATION, LICENSE)
