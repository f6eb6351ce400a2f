"""Ordinary texts for measuring what most requests cost."""

from typing import Final

ORDINARY: Final[tuple[str, ...]] = (
    "I am planning a week in the mountains with two friends who have never hiked before. We would like to sleep in huts, walk about four hours a day, and be close to a train on the last day. ",
    "The quarterly figures arrived this morning. Sales in the north went up by six percent, while the south stayed flat; the warehouse in the east will be closed for repairs until August. ",
    "Could you look over the letter to my landlord? The heating has been out since Thursday, the caretaker came twice, and I would like to ask for a lower rent for the month of January. ",
    "def total(items): return sum(item.price * item.count for item in items if item.count > 0) # returns zero for an empty list; see the tests in test_basket.py for the other edge cases. ",
    "Mix the flour with the yeast and the salt, add lukewarm water, and knead for ten minutes. Let it rest under a cloth until it has doubled, then shape two loaves and bake them until brown. ",
    "Thank you for your order. Your parcel with three books has left our house today and should reach you on Friday. If you are not at home, the driver leaves it with a neighbour. ",
)
