"""The live stream: resumed without a gap, told once, live without ids, and nothing left behind."""

from __future__ import annotations

import threading

import pytest

from companion.dashboard.hub import MOST_OF_ONE, RING, Hub, HubFull, differs
from companion.dashboard.stream import EventStream
from tests.dashboard.fake import FakeCompanion
from tests.dashboard.serving import Served, StreamClient, serving


def test_a_new_client_gets_the_scoreboard_at_once_and_no_old_entries(served: Served, fake: FakeCompanion) -> None:
    fake.append("note")
    with StreamClient(served) as stream:
        assert stream.response.headers["Content-Type"].startswith("text/event-stream")
        first = stream.next()
        assert (first.name, first.id, first.data["last_id"]) == ("scoreboard", None, 1)
        assert stream.next().name == "live"


def test_an_entry_arrives_with_its_id_its_type_and_the_scoreboard_after_it(served: Served, fake: FakeCompanion) -> None:
    with StreamClient(served) as stream:
        stream.until(lambda e: e.name == "live")
        fake.append("shot", {"flicked": "red-1"}, players=fake.points(2, 2))
        entry, *_, board = stream.until(lambda e: e.name == "scoreboard")
        assert (entry.id, entry.name, entry.data["data"]) == (1, "shot", {"flicked": "red-1"})
        assert board.data["players"][0]["points"] == 2


@pytest.mark.parametrize("by_query", [False, True])
def test_a_client_that_comes_back_gets_what_it_missed_once_and_in_order(
    served: Served, fake: FakeCompanion, by_query: bool
) -> None:
    for _ in range(6):
        fake.append("note")
    with StreamClient(served, last_id=2, by_query=by_query) as stream:
        assert stream.journal(up_to=6) == [3, 4, 5, 6]
        fake.append("note")
        assert stream.journal(up_to=7) == [7]


def test_a_client_that_was_away_for_very_long_misses_nothing(served: Served, fake: FakeCompanion) -> None:
    many = 2 * RING + 300
    for _ in range(many):
        fake.append("note")
    with StreamClient(served, last_id=1) as stream:
        assert stream.journal(up_to=many) == list(range(2, many + 1))


def test_entries_written_while_streaming_come_once_and_in_order_to_all(served: Served, fake: FakeCompanion) -> None:
    with StreamClient(served) as one, StreamClient(served) as two:
        for stream in (one, two):
            stream.until(lambda e: e.name == "live")
        writer = threading.Thread(target=lambda: [fake.append("note") for _ in range(200)])
        writer.start()
        assert one.journal(up_to=200) == list(range(1, 201))
        assert two.journal(up_to=200) == list(range(1, 201))
        writer.join()


def test_a_journal_that_is_shorter_than_the_clients_id_is_taken_as_it_is(served: Served, fake: FakeCompanion) -> None:
    fake.append("note")
    with StreamClient(served, last_id=99) as stream:
        assert stream.next().data["last_id"] == 1
        fake.append("note")
        assert stream.journal(up_to=2) == [2]


def test_positions_come_without_id_when_a_puck_moves(served: Served, fake: FakeCompanion) -> None:
    with StreamClient(served) as stream:
        stream.until(lambda e: e.name == "live")
        fake.seen = {**fake.seen, "state": "shot", "pucks": [_seen(100.0)]}
        moved = stream.until(lambda e: e.name == "live" and e.data["state"] == "shot")[-1]
        assert (moved.id, moved.data["pucks"][0]["x_mm"]) == (None, 100.0)


def test_the_cameras_noise_is_not_movement() -> None:
    before = {"time_s": 1.0, "state": "still", "pucks": [_seen(100.0)]}
    assert not differs(before, {"time_s": 1.1, "state": "still", "pucks": [_seen(100.2)]})
    assert differs(before, {"time_s": 1.1, "state": "still", "pucks": [_seen(101.0)]})
    assert differs(before, {"time_s": 1.1, "state": "hand", "pucks": [_seen(100.0)]})
    assert differs(before, {"time_s": 1.1, "state": "still", "pucks": []})


def test_one_client_too_many_is_told_to_come_back(fake: FakeCompanion) -> None:
    with serving(fake, max_streams=1) as served, StreamClient(served), StreamClient(served) as second:
        assert (second.response.status, second.response.headers["Retry-After"]) == (503, "3")


def test_clients_that_left_leave_no_thread_behind(fake: FakeCompanion) -> None:
    hub = Hub(fake, max_clients=1)
    for _ in range(20):
        stream = EventStream(hub, None)
        assert next(iter(stream)).startswith(b"retry:")
        with pytest.raises(HubFull):
            EventStream(hub, None)
        stream.close()
        stream.close()
    assert hub.clients == 0
    for thread in [t for t in threading.enumerate() if t.name == "dashboard-hub"]:
        thread.join(5.0)
        assert not thread.is_alive()


def test_one_device_takes_not_all_the_places(fake: FakeCompanion) -> None:
    hub = Hub(fake)
    taken = [EventStream(hub, None, "192.168.1.77") for _ in range(MOST_OF_ONE)]
    with pytest.raises(HubFull):
        EventStream(hub, None, "192.168.1.77")
    EventStream(hub, None, "192.168.1.78").close()
    taken.pop().close()
    EventStream(hub, None, "192.168.1.77").close()
    for stream in taken:
        stream.close()
    assert hub.clients == 0


def test_closing_the_hub_ends_the_streams(served: Served) -> None:
    with StreamClient(served) as stream:
        stream.next()
        served.hub.close()
        assert stream.response.read() is not None


def _seen(x_mm: float) -> dict[str, object]:
    return {"puck": "red-1", "team": "red", "number": 1, "x_mm": x_mm, "y_mm": 50.0}
