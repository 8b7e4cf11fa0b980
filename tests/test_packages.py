import importlib

import pytest

PACKAGES = ["rules", "vision", "calibration", "referee", "recording", "table", "hardware"]


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_exports_what_it_says_and_nothing_else_by_accident(name: str) -> None:
    package = importlib.import_module(name)
    assert package.__doc__
    assert sorted(set(package.__all__)) == sorted(package.__all__)
    for exported in package.__all__:
        assert getattr(package, exported) is not None
