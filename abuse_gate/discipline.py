"""What is done about repeated abuse: before a request is read, and after it was judged.

The standings are the store's, the blame is the offences'; here they meet the way of a request.
A defect or a store that raises costs the punishment, never the request.
"""

from dataclasses import replace

from abuse_gate.deciding.policy import BLOCK_STATUS, QUARANTINE_STATUS, Ruling
from abuse_gate.inspection import Inspection
from abuse_gate.inspector import report_defect
from abuse_gate.model.caller import CallerOf
from abuse_gate.model.decision import Decision, Mode
from abuse_gate.model.extract import Flag
from abuse_gate.model.standing import FREE, Standing
from abuse_gate.model.verdict import Assessment
from abuse_gate.model.visit import Visit
from abuse_gate.offences import Offences
from abuse_gate.settings import RoutePolicy
from abuse_gate.stores.strikes import Strikes
from abuse_gate.work.scanner import in_a_thread


class Discipline:
    """One for a gate; holds nothing of any request."""

    def __init__(self, strikes: Strikes, offences: Offences) -> None:
        self.strikes = strikes
        self._offences = offences

    def is_quiet(self) -> bool:
        """Whether the store can tell without asking that nobody is remembered at all."""
        return bool(getattr(self.strikes.store, "quiet", False))

    async def admit(self, policy: RoutePolicy, who: CallerOf) -> tuple[Standing, RoutePolicy]:
        """How the caller stands, and the policy that holds for it."""
        try:
            monitor = policy.mode == "monitor"
            standing = await self.strikes.standing(await who(), monitor=monitor)
        except Exception as error:  # noqa: BLE001 - a store of the app's own may raise anything
            report_defect("admit", error)
            return FREE, policy
        if standing.mode == "normal":
            return standing, policy
        return standing, replace(policy, locked=True)

    async def judged(
        self,
        inspection: Inspection,
        policy: RoutePolicy,
        assessment: Assessment,
        who: CallerOf,
        standing: Standing,
        visit: Visit,
    ) -> Standing:
        """How the caller stands after what was found in its request."""
        if assessment.verdict != "unsafe":
            return standing
        incident = visit.incident_id
        monitor = policy.mode == "monitor"
        try:
            offence = await in_a_thread(
                lambda: self._offences.of(inspection, policy, assessment.turn),
                inspection.extract.chars,
            )
            caller = visit.caller = await who()
            if offence is None:
                await self.strikes.note(caller, incident, monitor=monitor)
            else:
                standing = await self.strikes.record_unsafe(
                    caller, offence, incident, standing, monitor=monitor
                )
        except Exception as error:  # noqa: BLE001 - as above: the request is refused all the same
            report_defect("strike", error)
        return standing

    async def refused(self, decision: Decision, policy: RoutePolicy, who: CallerOf) -> None:
        """Lets an operator find whoever asks about a refusal that is no strike."""
        if decision.decision == "allow" or decision.verdict == "unsafe":
            return
        try:
            monitor = policy.mode == "monitor"
            await self.strikes.note(await who(), decision.incident_id, monitor=monitor)
        except Exception as error:  # noqa: BLE001 - as above
            report_defect("note", error)


def decision_of(
    ruling: Ruling,
    policy: RoutePolicy,
    assessment: Assessment,
    flags: frozenset[Flag],
    incident: str,
    standing: Standing = FREE,
) -> Decision:
    """A decision under the visit's incident id; in monitor mode the app always answers."""
    mode: Mode = "monitor" if policy.mode == "monitor" else standing.mode
    answer = None if mode == "monitor" else ruling.status
    return Decision(ruling.action, answer, mode, incident, assessment, flags)


def under_lock(
    ruling: Ruling, assessment: Assessment, standing: Standing, *, risky: bool
) -> tuple[Ruling, Assessment]:
    """What is left of an allowed request for a caller under a stricter mode.

    Only in monitor mode do the requests of the quarantined get as far as this.
    """
    if not risky and standing.mode != "full_quarantine":
        return ruling, assessment
    blocked = replace(ruling, action="block", status=BLOCK_STATUS)
    return blocked, replace(assessment, reason=standing.mode)


def turned_away(policy: RoutePolicy, standing: Standing, incident: str) -> Decision:
    """The decision on a request that is not read."""
    ruling = Ruling("unclear", "block", QUARANTINE_STATUS)
    unread = Assessment("unclear", standing.mode)
    return decision_of(ruling, policy, unread, frozenset(), incident, standing)
