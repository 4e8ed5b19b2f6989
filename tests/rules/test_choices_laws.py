"""Laws of the choice of machine and order, under any sequence of steps (a Hypothesis state machine)."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from server.core.draws.choices import Refused, decide, evolve, open_round
from server.core.draws.choices_acts import (
    Command,
    Decline,
    Event,
    NameMachine,
    NameOrder,
    ReportMachine,
    TakeMachine,
    TakePosition,
)
from server.core.draws.choices_turn import RoundChoice, choosable, free_again, questions, turns, waiting

MACHINES = [f"m{number}" for number in range(1, 8)]


class Choosing(RuleBasedStateMachine):
    """A round in which everybody does something allowed, and sometimes something that is not."""

    def __init__(self) -> None:
        super().__init__()
        self.state = RoundChoice(groups=(), machines=())
        self.start = self.state
        self.events: list[Event] = []

    @initialize(data=st.data(), sizes=st.lists(st.integers(1, 4), min_size=1, max_size=5), bank=st.integers(1, 6))
    def begin(self, data: st.DataObject, sizes: list[int], bank: int) -> None:
        seeds = [f"p{number}" for number in range(sum(sizes))]
        mixed = data.draw(st.permutations(seeds))
        groups, played = {}, {}
        for number, size in enumerate(sizes):
            groups[f"g{number}"] = tuple(mixed.pop() for _ in range(size))
            played[f"g{number}"] = data.draw(st.frozensets(st.sampled_from(MACHINES[:bank]), max_size=2))
        self.start = self.state = open_round(groups, MACHINES[:bank], seeds, played=played)

    def go(self, command: Command) -> None:
        events = decide(self.state, command)
        assert not isinstance(events, Refused), events
        for event in events:
            self.state = evolve(self.state, event)
            self.events.append(event)

    @precondition(lambda self: questions(self.state))
    @rule(data=st.data())
    def choose(self, data: st.DataObject) -> None:
        question = data.draw(st.sampled_from(questions(self.state)))
        if question.who is None:
            self.decide_as_officials(data, question.group)
            return
        ways: list[Command] = [Decline(who=question.who)]
        ways += [TakeMachine(who=question.who, machine=name) for name in question.machines]
        ways += [TakePosition(who=question.who, position=place) for place in question.positions]
        self.go(data.draw(st.sampled_from(ways)))

    def decide_as_officials(self, data: st.DataObject, name: str) -> None:
        group = next(group for group in self.state.groups if group.id == name)
        if group.machine is None or group.machine in self.state.out:
            legal = choosable(self.state, group)
            spare = next(m for m in ["extra", *(f"extra{k}" for k in range(20))] if m not in self.state.machines)
            self.go(NameMachine(group=name, machine=data.draw(st.sampled_from(legal)) if legal else spare))
        else:
            self.go(NameOrder(group=name, order=tuple(data.draw(st.permutations(group.seeds)))))

    @precondition(lambda self: any(group.complete and not group.ended for group in self.state.groups))
    @rule(data=st.data())
    def end(self, data: st.DataObject) -> None:
        playing = [group.machine for group in self.state.groups if group.complete and not group.ended]
        self.go(ReportMachine(machine=data.draw(st.sampled_from([name for name in playing if name])), now="free"))

    @rule(data=st.data(), now=st.sampled_from(["out", "in"]))
    def report(self, data: st.DataObject, now: str) -> None:
        name = data.draw(st.sampled_from(self.state.machines or ("none",)))
        events = decide(self.state, ReportMachine(machine=name, now="out" if now == "out" else "in"))
        if not isinstance(events, Refused):
            for event in events:
                self.state = evolve(self.state, event)
                self.events.append(event)

    @rule(data=st.data())
    def ask_for_something_else(self, data: st.DataObject) -> None:
        players = [who for group in self.state.groups for who in group.seeds]
        who = data.draw(st.sampled_from([*players, "stranger"]))
        name = data.draw(st.sampled_from([*self.state.machines, "nowhere"]))
        place = data.draw(st.integers(-1, 6))
        mine = [question for question in questions(self.state) if question.who == who]
        taken = decide(self.state, TakeMachine(who=who, machine=name))
        assert isinstance(taken, Refused) != bool(mine and name in mine[0].machines)
        placed = decide(self.state, TakePosition(who=who, position=place))
        assert isinstance(placed, Refused) != bool(mine and place in mine[0].positions)
        for answer in (taken, placed):
            assert not isinstance(answer, Refused) or answer.why

    @invariant()
    def no_machine_is_held_by_two_groups(self) -> None:
        held = [group.machine for group in self.state.groups if group.machine and not group.ended]
        assert len(held) == len(set(held))

    @invariant()
    def positions_are_each_taken_once(self) -> None:
        for group in self.state.groups:
            assert len({place for place, _ in group.positions}) == len(group.positions)
            assert len({who for _, who in group.positions}) == len(group.positions)
            assert {who for _, who in group.positions} <= set(group.seeds)

    @invariant()
    def nothing_that_may_be_chosen_was_played_or_is_taken(self) -> None:
        taken = {group.machine for group in self.state.groups}
        for question in questions(self.state):
            group = next(group for group in self.state.groups if group.id == question.group)
            assert not set(question.machines) & (taken | group.played | self.state.out)

    @invariant()
    def somebody_can_always_go_on(self) -> None:
        if self.state.groups and not all(group.complete for group in self.state.groups):
            playing = any(group.machine and not group.ended for group in self.state.groups)
            assert questions(self.state) or (waiting(self.state) and playing)

    @invariant()
    def no_free_machine_is_left_to_a_group_that_waits(self) -> None:
        for group in waiting(self.state):
            assert set(free_again(self.state)) <= group.played

    @invariant()
    def only_one_group_has_the_turn(self) -> None:
        assert turns(self.state).count("now") <= 1

    def teardown(self) -> None:
        state = self.start
        for event in self.events:
            state = evolve(state, event)
        assert state == self.state


Choosing.TestCase.settings = settings(max_examples=120, stateful_step_count=30, deadline=None)
TestChoosing = Choosing.TestCase
