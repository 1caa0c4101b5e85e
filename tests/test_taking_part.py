"""What hosts, indexes and newcomers read: it agrees with the package, and names what exists."""

import json
import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

import hetsel

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DESCRIPTION = (ROOT / "r_bridge/hetsel/DESCRIPTION").read_text(encoding="utf-8")
WORKFLOWS = {path.stem: path for path in sorted((ROOT / ".github/workflows").glob("*.yml"))}
VERSIONS = runpy.run_path(str(ROOT / ".ci/set_version.py"))
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", VERSIONS["PLACES"])
def test_every_file_states_the_version_of_the_package(name):
    assert VERSIONS["stated"](name)[2] == hetsel.__version__


@pytest.mark.parametrize("released", [False, True])
def test_make_version_changes_headings_or_adds_them(tmp_path, released):
    for name in [*VERSIONS["PLACES"], ".ci/set_version.py"]:
        copy = tmp_path / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        dated = released and name == "CHANGELOG.md"
        text = read(name)
        copy.write_text(text.replace("(not yet released)", "2030-01-31") if dated else text)
    command = [sys.executable, str(tmp_path / ".ci/set_version.py"), "7.8.9"]
    subprocess.run(command, check=True)
    for name, before in VERSIONS["PLACES"].items():
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert re.search(rf"^{re.escape(before)}7\.8\.9", text, re.MULTILINE), name
        old = re.search(rf"^{re.escape(before)}{re.escape(hetsel.__version__)}", text, re.MULTILINE)
        assert (old is not None) == (released and name.endswith(".md")), name
    refused = subprocess.run([*command[:-1], "7.8"], capture_output=True, text=True)
    assert refused.returncode == 1
    assert "'7.8'" in refused.stderr


def test_pythons_are_the_same_everywhere():
    row = re.compile(r"Programming Language :: Python :: (\d\.\d+)$")
    assert [m[1] for line in PROJECT["classifiers"] if (m := row.match(line))] == PYTHONS
    assert PROJECT["requires-python"] == f">={PYTHONS[0]}"
    assert f"Python (>= {PYTHONS[0]})" in DESCRIPTION
    tests = yaml.safe_load(read(".github/workflows/tests.yml"))["jobs"]
    matrix = tests["quick"]["strategy"]["matrix"]
    assert matrix["python"] == PYTHONS
    assert {"python": PYTHONS[0], "versions": "lowest"} in matrix["include"]


def test_the_recipe_of_conda_has_the_programs_and_requirements_of_the_project():
    recipe = yaml.safe_load(read(".ci/conda/recipe.yaml"))
    needed = [re.sub(r"(?=[<>=])", " ", line, count=1) for line in PROJECT["dependencies"]]
    assert recipe["requirements"]["run"] == [f"python {PROJECT['requires-python']}", *needed]
    programs = [f"{name} = {place}" for name, place in PROJECT["scripts"].items()]
    assert recipe["build"]["python"]["entry_points"] == programs


def test_r_is_checked_on_its_release_and_the_one_before():
    steps = yaml.safe_load(read(".github/workflows/r.yml"))["jobs"]["check"]
    assert steps["strategy"]["matrix"]["r"] == ["release", "oldrel-1"]
    writer = re.search(r"^RoxygenNote: (.+)$", DESCRIPTION, re.MULTILINE)
    assert f"roxygen2@{writer[1]}" in read(".github/workflows/r.yml")


@pytest.mark.parametrize("name", WORKFLOWS)
def test_workflows_may_read_and_no_more(name):
    workflow = yaml.safe_load(WORKFLOWS[name].read_text(encoding="utf-8"))
    assert workflow["permissions"] == {"contents": "read"}
    assert workflow["concurrency"]["group"]
    for title, job in workflow["jobs"].items():
        assert job["timeout-minutes"] <= 90
        assert "permissions" not in job or title == "deploy"
        for step in job["steps"]:
            assert re.fullmatch(r"[\w/-]+@v\d+", step.get("uses", "a/b@v1"))


@pytest.mark.parametrize("name", WORKFLOWS)
def test_steps_name_targets_and_files_that_exist(name):
    jobs = yaml.safe_load(WORKFLOWS[name].read_text(encoding="utf-8"))["jobs"].values()
    targets = set(re.findall(r"^([\w -]+):(?!=)", read("Makefile"), re.MULTILINE))
    targets = {name for line in targets for name in line.split()}
    for step in (step for job in jobs for step in job["steps"]):
        commands = step.get("run", "")
        for words in re.findall(r"\bmake ([\w -]+)", commands):
            assert set(words.split()) <= targets
        for program in re.findall(r"(?<![\w/])\.ci/[\w.-]+", commands):
            assert (ROOT / program).is_file()


def test_the_runner_takes_the_rows_of_a_python():
    runner = runpy.run_path(str(ROOT / ".ci/run-workflow"))
    job = yaml.safe_load(read(".github/workflows/tests.yml"))["jobs"]["quick"]
    assert len(runner["rows"](job)) == len(PYTHONS) + 1
    lowest = {"python": PYTHONS[0], "versions": "lowest"}
    assert runner["rows_here"](job, lowest) == [lowest]
    assert runner["rows"]({}) == [{}]
    assert runner["filled"]("try ${{ matrix.versions }}", lowest) == "try lowest"


def test_metadata_agree():
    author = PROJECT["authors"][0]
    cff, codemeta = (
        yaml.safe_load(read(".github/CITATION.cff")),
        json.loads(read(".github/codemeta.json")),
    )
    for stated in (cff, codemeta):
        assert PROJECT["urls"]["Homepage"] == stated["url"]
    assert author["name"] == cff["authors"][0]["name"] == codemeta["author"][0]["name"]
    assert author["email"] == codemeta["maintainer"]["email"]
    assert f'"{author["name"]}"' in DESCRIPTION
    assert f'email = "{author["email"]}"' in DESCRIPTION
    assert cff["license"] == PROJECT["license"]
    assert codemeta["license"].endswith(f"/{PROJECT['license']}")
    assert {"@context", "@type", "name", "description", "codeRepository"} <= set(codemeta)
    assert codemeta["issueTracker"] == PROJECT["urls"]["Issues"]
    assert f"BugReports: {PROJECT['urls']['Issues']}\n" in DESCRIPTION
    base = PROJECT["urls"]["Homepage"]
    assert all(url.startswith(base) for url in PROJECT["urls"].values())


def test_hooks_run_programs_of_the_environment():
    hooks = yaml.safe_load(read(".pre-commit-config.yaml"))["repos"]
    assert {repository["repo"] for repository in hooks} == {"local"}
    for hook in hooks[0]["hooks"]:
        assert hook["entry"].startswith(".venv/bin/")
