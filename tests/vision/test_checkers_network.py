import threading

import numpy as np

from vision.checkers_network import CLASSES, default_network


def test_the_network_answers_per_point_and_per_cell() -> None:
    seen = default_network().look(np.zeros((4, 3, 112, 112), np.float32))
    assert seen.classes.shape == (4, 6, CLASSES)
    assert seen.cells.shape == (4, 28, 28, 3)
    assert np.allclose(seen.cells.sum(axis=3), 1, atol=1e-5)


def test_any_number_of_crops_may_be_asked_at_once() -> None:
    pictures = np.random.default_rng(0).normal(0, 1, (6, 3, 112, 112)).astype(np.float32)
    network = default_network()
    together = network.look(pictures).classes
    apart = np.concatenate([network.look(pictures[k : k + 2]).classes for k in (0, 2, 4)])
    assert np.allclose(together, apart, atol=1e-3)


def test_threads_sharing_the_network_get_their_own_answers() -> None:
    rng = np.random.default_rng(1)
    asked = [rng.normal(0, 1, (2, 3, 112, 112)).astype(np.float32) for _ in range(4)]
    network = default_network()
    expected = [network.look(a).classes for a in asked]
    got: dict[int, np.ndarray] = {}

    def ask(k: int) -> None:
        for _ in range(3):
            got[k] = network.look(asked[k]).classes

    threads = [threading.Thread(target=ask, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.allclose(got[k], expected[k], atol=1e-4) for k in range(4))
