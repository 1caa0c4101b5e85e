"""Which step of a fit is at work, and how long the rest of it takes."""

from hetsel.evaluation import progress
from hetsel.evaluation.progress import StepsTold, of_step


def test_each_step_tells_its_own_time_left(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(progress.time, "perf_counter", lambda: now[0])
    told = StepsTold()
    assert told.words() == ""
    for finished in (1, 2, 3, 4, 5):
        told(finished, 65, "halves")
        now[0] += 2.0
    assert told.words() == "halves, 5 of 65 parts, about 2 min 30 s left"
    told(1, 9, "points")
    assert told.words() == "points, 1 of 9 parts"
    told(9, 9, "points")
    assert told.words() == "points, 9 of 9 parts"


def test_a_step_names_itself():
    said = []
    of_step(lambda *one: said.append(one), "halves")(3, 7)
    assert said == [(3, 7, "halves")]
    assert of_step(None, "halves") is None
