"""What the tests of the examples share: a client of an app whose middleware is already built."""

from collections.abc import Callable

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

ClientOf = Callable[[Starlette], TestClient]


@pytest.fixture
def client_of() -> ClientOf:
    """Builds an app's middleware as a server does before the first request, and gives a client."""

    def build(app: Starlette) -> TestClient:
        if app.middleware_stack is None:
            app.middleware_stack = app.build_middleware_stack()
        return TestClient(app)

    return build
