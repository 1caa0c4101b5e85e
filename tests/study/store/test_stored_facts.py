"""A store whose seal is right and whose facts are those of no study is refused with a sentence."""

import copy
import shutil

import pytest

from hetsel import Results, Study
from hetsel.ground.errors import StoreError
from hetsel.study.store.sqlite_store import Store

FACTS = ("plan", "datasets", "sizes", "identities", "parts")


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    path = tmp_path_factory.mktemp("facts") / "a.sqlite"
    study = Study(datasets=["heart"], methods=["mi-histogram"], resamplings=2, sizes=[1, 2])
    study.run(path, n_jobs=0, progress=False)
    return path


def changed(written, folder, change):
    path = folder / "b.sqlite"
    shutil.copy(written, path)
    with Store(path, writing=True) as file:
        facts = {name: copy.deepcopy(file.about(name)) for name in FACTS}
        change(facts)
        file.write_plan(facts, file.plan())
    return path


CHANGES = {
    "a plan of text": lambda f: f.update(plan="plan"),
    "no data sets": lambda f: f.update(datasets=[]),
    "a data set of another name": lambda f: f["datasets"][0].update(name="lung"),
    "a data set twice": lambda f: f["datasets"].append(f["datasets"][0]),
    "no methods": lambda f: f["plan"].update(methods=[]),
    "another label": lambda f: f["plan"]["methods"][0].update(label="other"),
    "a judge more": lambda f: f["plan"]["classifiers"].append({"key": "5nn", "label": "5nn"}),
    "an identity too few": lambda f: f["identities"]["methods"].pop(),
    "a kind of target": lambda f: f["datasets"][0].update(target="ranks"),
    "a kind too few": lambda f: f["datasets"][0]["kinds"].pop(),
    "a feature more": lambda f: (
        f["datasets"][0]["features"].append("z"),
        f["datasets"][0]["kinds"].append("nominal"),
    ),
    "a class too few": lambda f: f["datasets"][0]["classes"].pop(),
    "sizes of text": lambda f: f["sizes"].update(heart=["1", "2"]),
    "sizes beyond the features": lambda f: f["sizes"].update(heart=[1, 99]),
    "no sizes": lambda f: f["sizes"].clear(),
    "very many parts": lambda f: f.update(parts={"of": 10**15, "numbers": [1, 1]}),
    "weights of other rows": lambda f: f["datasets"][0].update(row_weights=[1.0]),
}


@pytest.mark.parametrize("what", CHANGES)
def test_facts_of_no_study_are_refused(written, tmp_path, what):
    path = changed(written, tmp_path, CHANGES[what])
    with pytest.raises(StoreError, match=r"b\.sqlite"):
        Results(path).frame()


def test_what_a_later_version_adds_is_not_looked_at(written, tmp_path):
    path = changed(written, tmp_path, lambda f: f["datasets"][0].update(later=[1]))
    assert Results(path).digest() == Results(written).digest()


def test_facts_that_are_nested_too_deeply_are_damage(written, tmp_path):
    path = changed(written, tmp_path, lambda f: None)
    with Store(path, writing=True) as file, file._change():
        file._remove("about", "name = 'sizes'")
        file._insert("about", ("sizes", "[" * 200_000))
    with pytest.raises(StoreError, match="sizes is not JSON"):
        Results(path)
