"""What the settings name is what is built: a store, a cache, or one line that says why not."""

import asyncio
from typing import Any

import pytest
from redis.asyncio import Redis, SSLConnection
from redis.asyncio.cluster import ClusterNode, RedisCluster

from abuse_gate.contract import ConfigError
from abuse_gate.model.events import StoreFailed
from abuse_gate.remembering import redis_room
from abuse_gate.settings import Settings
from abuse_gate.stores.link import connect, link_maker
from abuse_gate.stores.verdicts import MemoryVerdicts, RedisVerdicts
from abuse_gate.testing import RecordingObserver
from abuse_gate.verify.cached import VerdictCache
from abuse_gate.wiring import build_gate
from tests.stores.servers import Server


async def test_verdicts_are_shared_and_a_cache_that_fails_has_forgotten(server: Server) -> None:
    observer = RecordingObserver()

    def cache(url: str) -> RedisVerdicts:
        return RedisVerdicts(lambda: connect(url, 0.2), MemoryVerdicts(60), observer, 60.0, 5.0)

    one, two, lost = cache(server.url), cache(server.url), cache("redis://127.0.0.1:1")
    await one.put(["a"], "safe")
    assert await two.get(["a", "b"]) == ["safe", None]
    assert await two.get(["a"]) == ["safe"]
    assert await lost.get(["a"]) == [None]
    await lost.put(["a"], "unsafe")
    assert await lost.get(["a"]) == ["unsafe"]
    assert [event.operation for event in observer.of(StoreFailed)] == ["verdict_get"]
    for store in (one, two, lost):
        await store.aclose()
        await store.aclose()


@pytest.mark.parametrize(
    "url", ["redis://h?canary=1", "redis://h?db=canary", "redis+cluster://h/7?canary=1"]
)
def test_an_address_that_nobody_can_read_is_said_without_showing_it(url: str) -> None:
    with pytest.raises(ConfigError, match="ABUSE_GATE_REDIS_URL: the Redis client cannot") as said:
        link_maker(Settings.model_validate({"redis_url": url}))
    assert "canary" not in str(said.value)


def test_certificates_that_cannot_be_read_are_said_without_showing_the_address() -> None:
    url = "rediss://h?ssl_ca_certs=/canary/nowhere.pem"
    with pytest.raises(ConfigError, match="certificates that this address names") as said:
        link_maker(Settings.model_validate({"redis_url": url}))
    assert "canary" not in str(said.value)


@pytest.mark.parametrize("url", ["rediss://h:6380", "rediss+cluster://h:7000"])
def test_certificates_are_read_at_the_start_and_by_no_connection(url: str) -> None:
    make = link_maker(Settings.model_validate({"redis_url": url}))
    clients: list[Any] = [vars(make())["_client"] for _ in range(2)]
    opened = [each.connection_pool.make_connection() for each in clients if "+" not in url]
    for client in clients if "+" in url else ():
        later = ClusterNode("later", 7001, **client.connection_kwargs)
        opened += [node.acquire_connection() for node in (*client.startup_nodes, later)]
    contexts = {id(connection.ssl_context.context) for connection in opened}
    assert len(opened) >= 2
    assert contexts == {id(opened[0].ssl_context.get())}


def test_a_gate_is_built_with_what_the_settings_name(server: Server) -> None:
    gate = build_gate(Settings.model_validate({"redis_url": server.url, "verdict_cache": "redis"}))
    assert isinstance(vars(gate)["_cache"], VerdictCache)
    assert gate.subjects is not None
    asyncio.run(gate.aclose())
    with pytest.raises(ConfigError, match="needs ABUSE_GATE_REDIS_URL"):
        build_gate(Settings(verdict_cache="redis"))
    assert build_gate(Settings(strikes="off")).subjects is None
    with pytest.raises(ConfigError, match="pip install 'abuse-gate"):
        redis_room("abuse_gate.stores.of_another_extra")


@pytest.mark.parametrize(
    ("url", "kind", "tls"),
    [
        ("redis://h", Redis, False),
        ("rediss://:word@h:6380/2", Redis, True),
        ("unix:///run/redis.sock", Redis, False),
        ("redis+cluster://user:word@h:7000", RedisCluster, False),
        ("rediss+cluster://h:7000", RedisCluster, True),
    ],
)
def test_an_address_names_its_kind_of_store(url: str, kind: type[Any], tls: bool) -> None:
    client: Any = vars(link_maker(Settings.model_validate({"redis_url": url}))())["_client"]
    assert isinstance(client, kind)
    if kind is RedisCluster:
        nodes = list(client.nodes_manager.startup_nodes.values())
    else:
        nodes = [client.connection_pool]
    assert [issubclass(node.connection_class, SSLConnection) for node in nodes] == [tls]
