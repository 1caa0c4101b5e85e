"""Python hosts R in a notebook: its cells hold, and Ctrl-C ends a cell of R and nothing else."""

import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest
from jupyter_client.manager import KernelManager

NOTEBOOK = Path(__file__).parents[2] / "vignettes/r-in-a-notebook.ipynb"
EXPOSED = "%load_ext rpy2.ipython\nimport r_bridge\nr_bridge.expose()"
SLOW = """%%R
cat("begun\\n")
x <- matrix(rnorm(4e6), 20000)
hetsel_search(x, x[, 1] > 0, search = "sffs", criterion = "5nn")"""

pytestmark = [pytest.mark.slow]


@pytest.fixture
def runtime(tmp_path, monkeypatch):
    """A place for what Jupyter writes."""
    for name in ("JUPYTER_RUNTIME_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR"):
        monkeypatch.setenv(name, str(tmp_path / name))
    return tmp_path


def test_the_notebook_runs_and_its_numbers_are_those_of_python(runtime):
    command = [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", str(NOTEBOOK)]
    done = subprocess.run(
        [*command, "--output", "run.ipynb", "--output-dir", str(runtime)],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    cells = nbformat.read(runtime / "run.ipynb", 4).cells
    asserting = [cell for cell in cells if "assert np.array_equal" in cell.source]
    assert len(asserting) == 4
    figures = [out for cell in cells for out in cell.get("outputs", ()) if "image/png" in str(out)]
    assert len(figures) == 1


def test_an_interrupted_cell_of_r_leaves_the_kernel_alive(runtime):
    kernel = KernelManager()
    kernel.start_kernel()
    client = kernel.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=60)
        assert client.execute_interactive(EXPOSED, timeout=120)["content"]["status"] == "ok"
        # a kernel that stops on errors would also abort what is asked right after
        asked, said = client.execute(SLOW, stop_on_error=False), ""
        while "begun" not in said:
            content = client.get_iopub_msg(timeout=60)["content"]
            said += content.get("text", "") + content.get("evalue", "")
        time.sleep(3)  # the search is under way
        kernel.interrupt_kernel()
        reply = client.get_shell_msg(timeout=120)
        assert reply["parent_header"]["msg_id"] == asked
        assert reply["content"]["status"] == "error"
        after = client.execute_interactive("%R nrow(hetsel_methods())", timeout=60)
        assert after["content"]["status"] == "ok"
    finally:
        client.stop_channels()
        kernel.shutdown_kernel(now=True)
