"""Incident ids: 128 bits each, never the same twice, not even across threads and forks."""

import re
import subprocess
import sys
import threading

from abuse_gate.work.incidents import INCIDENT_IDS, IncidentIds

SHAPE = re.compile(r"[0-9a-f]{32}\Z")

FORKING = """
import os
from abuse_gate.work.incidents import INCIDENT_IDS
INCIDENT_IDS.draw()
ends = []
for _ in range(3):
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.close(reader)
        os.write(writer, "".join(INCIDENT_IDS.draw() + " " for _ in range(300)).encode())
        os._exit(0)
    os.close(writer)
    ends.append(reader)
text = "".join(INCIDENT_IDS.draw() + " " for _ in range(300))
for reader in ends:
    with open(reader) as stream:
        text += stream.read()
print(text)
"""


def test_an_id_is_thirty_two_lower_case_hex_digits() -> None:
    assert all(SHAPE.match(INCIDENT_IDS.draw()) for _ in range(500))


def test_no_id_is_drawn_twice() -> None:
    ids = IncidentIds()
    assert len({ids.draw() for _ in range(10_000)}) == 10_000


def test_no_two_threads_draw_the_same_id() -> None:
    ids, drawn = IncidentIds(), list[list[str]]()
    start = threading.Barrier(8)

    def draw() -> None:
        start.wait()
        drawn.append([ids.draw() for _ in range(2_000)])

    threads = [threading.Thread(target=draw) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({one for mine in drawn for one in mine}) == 16_000


def test_dropping_forgets_the_ids_that_were_drawn_ahead() -> None:
    ids = IncidentIds()
    before = ids.draw()
    ids.drop()
    assert len({before, *(ids.draw() for _ in range(300))}) == 301


def test_no_two_processes_of_a_fork_draw_the_same_id() -> None:
    done = subprocess.run(
        [sys.executable, "-c", FORKING], capture_output=True, text=True, check=True, timeout=60
    )
    drawn = done.stdout.split()
    assert all(map(SHAPE.match, drawn))
    assert len(drawn) == len(set(drawn)) == 1200
