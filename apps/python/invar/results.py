"""What a run has written, as dicts and arrays."""
import csv
import json
import pathlib
import xml.etree.ElementTree

import numpy

from invar import _core


def read_vtu(path):
    """points, cells, cell_types, point_data and cell_data of a .vtu file."""
    return _core.read_vtu(pathlib.Path(path))


def _columns(path):
    with open(path, newline="") as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    columns = {}
    for k, name in enumerate(rows[0] if rows else []):
        texts = [row[k] if k < len(row) else "" for row in rows[1:]]
        try:
            columns[name] = numpy.array([float(text) if text else numpy.nan for text in texts])
        except ValueError:
            columns[name] = numpy.array(texts)
    return columns


class Result:
    """The folder of a run."""

    def __init__(self, folder, exit_code=None):
        self.folder = pathlib.Path(folder)
        self.results = self._json("results.json")
        self.record = self._json("run.json")
        self.exit_code = self.record.get("exit_code") if exit_code is None else exit_code

    def _json(self, name):
        path = self.folder / name
        return json.loads(path.read_text()) if path.exists() else {}

    @property
    def objective(self):
        return self.results.get("objective")

    @property
    def fit(self):
        """{path: value} of the numbers that were designed."""
        return {name: entry["value"] for name, entry in self.results.get("fit", {}).items()}

    @property
    def quantities(self):
        return {**self.results.get("probes", {}), **self.results.get("quantities", {})}

    @property
    def certificate(self):
        return self._json("certificate.json")

    @property
    def history(self):
        """{column: array} over the iterations."""
        return _columns(self.folder / "history.csv")

    @property
    def curves(self):
        """{name: {column: array}} of data against model, and of quantities over time."""
        return {path.stem: _columns(path) for path in sorted((self.folder / "curves").glob("*.csv"))}

    def series(self, case=None):
        """(time, path) of each file of fields of a case; of the only one without a name."""
        files = sorted((self.folder / "fields").glob("*.pvd"))
        names = [f.stem for f in files]
        if case is None and len(files) != 1:
            raise ValueError(f"which case? There are {', '.join(names) or 'no fields'}")
        if case is not None and case not in names:
            raise ValueError(f"there are no fields of a case {case!r}, but of {', '.join(names) or 'none'}")
        file = files[0] if case is None else self.folder / "fields" / (case + ".pvd")
        sets = xml.etree.ElementTree.parse(file).iter("DataSet")
        return [(float(s.get("timestep")), file.parent / s.get("file")) for s in sets]

    def fields(self, case=None, step=-1):
        """Mesh and fields of a step that was written, as `read_vtu` gives them. Of a run on one rank."""
        return read_vtu(self.series(case)[step][1])
