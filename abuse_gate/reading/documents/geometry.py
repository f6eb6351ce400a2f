"""Rectangles and matrices on a page: just enough to tell what lies where."""

from dataclasses import dataclass
from math import hypot, inf


@dataclass(frozen=True, slots=True)
class Box:
    """An upright rectangle in page units."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def area(self) -> float:
        """Its area; an empty or inverted box has none."""
        return max(self.right - self.left, 0.0) * max(self.top - self.bottom, 0.0)

    @property
    def sides(self) -> tuple[float, float]:
        """Its width and its height."""
        return self.right - self.left, self.top - self.bottom

    def holds(self, other: "Box") -> bool:
        """Whether the other one lies inside, but for a hair."""
        across, up = (0.05 * side for side in other.sides)
        return (
            self.left <= other.left + across
            and self.right >= other.right - across
            and self.bottom <= other.bottom + up
            and self.top >= other.top - up
        )

    def meet(self, other: "Box") -> "Box":
        """What two boxes share."""
        return Box(
            max(self.left, other.left),
            max(self.bottom, other.bottom),
            min(self.right, other.right),
            min(self.top, other.top),
        )

    def covers(self, other: "Box") -> bool:
        """Whether the other one's middle lies inside."""
        across, up = (other.left + other.right) / 2, (other.bottom + other.top) / 2
        return self.left <= across <= self.right and self.bottom <= up <= self.top

    def share(self, other: "Box") -> float:
        """How much of this box the other one shows, from 0 to 1."""
        # A line of text may be a hair thin, so a sliver is given a size before it is measured.
        padded = Box(self.left - 0.05, self.bottom - 0.05, self.right + 0.05, self.top + 0.05)
        return padded.meet(other).area / padded.area


EVERYWHERE = Box(-inf, -inf, inf, inf)


@dataclass(frozen=True, slots=True)
class Matrix:
    """An affine map of the plane."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def then(self, outer: "Matrix") -> "Matrix":
        """This map, followed by another."""
        return Matrix(
            self.a * outer.a + self.b * outer.c,
            self.a * outer.b + self.b * outer.d,
            self.c * outer.a + self.d * outer.c,
            self.c * outer.b + self.d * outer.d,
            self.e * outer.a + self.f * outer.c + outer.e,
            self.e * outer.b + self.f * outer.d + outer.f,
        )

    def box(self, box: Box) -> Box:
        """The upright rectangle around a mapped one."""
        corners = [
            (x * self.a + y * self.c + self.e, x * self.b + y * self.d + self.f)
            for x in (box.left, box.right)
            for y in (box.bottom, box.top)
        ]
        across, up = [x for x, _ in corners], [y for _, y in corners]
        return Box(min(across), min(up), max(across), max(up))

    @property
    def width(self) -> float:
        """How wide one unit becomes."""
        return hypot(self.a, self.b)

    @property
    def height(self) -> float:
        """How tall one unit becomes."""
        return hypot(self.c, self.d)
