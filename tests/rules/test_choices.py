"""The choice of machine and order (T11), step by step, and what is refused in words."""

import pytest

from server.core.draws.choices import Refused, decide, evolve, open_round
from server.core.draws.choices_acts import (
    Command,
    Decline,
    Event,
    MachineTaken,
    NameMachine,
    NameOrder,
    PositionTaken,
    ReportMachine,
    TakeMachine,
    TakePosition,
)
from server.core.draws.choices_turn import RoundChoice, questions, waiting
from server.core.draws.pairing_errors import PairingImpossible

SEEDS = [str(number) for number in range(1, 13)]
TWO = {"1": ("1", "3", "5", "7"), "2": ("2", "4", "6", "8")}
BANK = ["m1", "m2", "m3", "m4"]


def machine(who: int, name: str) -> TakeMachine:
    return TakeMachine(who=str(who), machine=name)


def position(who: int, place: int) -> TakePosition:
    return TakePosition(who=str(who), position=place)


def decline(*who: int) -> list[Command]:
    return [Decline(who=str(number)) for number in who]


def free(name: str) -> ReportMachine:
    return ReportMachine(machine=name, now="free")


def run(state: RoundChoice, *commands: Command) -> tuple[RoundChoice, list[Event]]:
    seen: list[Event] = []
    for command in commands:
        events = decide(state, command)
        assert not isinstance(events, Refused), events
        for event in events:
            state = evolve(state, event)
            seen.append(event)
    return state, seen


def why(state: RoundChoice, command: Command) -> str:
    refused = decide(state, command)
    assert isinstance(refused, Refused)
    return refused.why


def asked(state: RoundChoice) -> dict[str, str | None]:
    return {question.group: question.who for question in questions(state)}


def group(state: RoundChoice, name: str):
    return next(group for group in state.groups if group.id == name)


def test_the_best_seed_takes_the_machine_and_the_others_their_positions_from_the_next_seed_down():
    state = open_round(TWO, BANK, SEEDS)
    assert asked(state) == {"1": "1"}
    state, _ = run(state, machine(1, "m2"))
    assert asked(state) == {"1": "3", "2": "2"}
    state, _ = run(state, position(3, 4), position(5, 2))
    assert asked(state)["1"] == "7"
    state, events = run(state, position(7, 3))
    assert events[-1] == PositionTaken(group="1", who="1", position=1, left_over=True)
    assert group(state, "1").order == ("1", "5", "7", "3")
    assert asked(state) == {"2": "2"}


def test_the_best_seed_takes_the_order_the_others_their_positions_and_the_second_seed_the_machine():
    state = open_round(TWO, BANK, SEEDS)
    state, _ = run(state, position(1, 4))
    assert asked(state) == {"1": "3"}
    assert why(state, machine(3, "m1")) == "in group 1, a position is to be chosen now, not a machine"
    state, _ = run(state, position(3, 3), position(5, 2))
    assert group(state, "1").order == ("7", "5", "3", "1")
    assert asked(state) == {"1": "3"}
    assert why(state, position(3, 1)) == "position 1 is not open: the machine is to be chosen now"
    state, _ = run(state, machine(3, "m1"))
    assert group(state, "1").complete
    assert asked(state) == {"2": "2"}


def test_groups_choose_in_order_of_their_best_seed_however_they_are_given():
    state = open_round({"B": ("8", "2"), "A": ("7", "1")}, BANK, SEEDS)
    assert asked(state) == {"A": "1"}
    assert why(state, machine(2, "m1")) == "the groups with better seeds choose before group B"


def test_a_machine_taken_in_this_round_or_played_by_the_group_in_this_stage_cannot_be_chosen():
    state = open_round(TWO, BANK, SEEDS, played={"2": frozenset({"m4"})})
    state, _ = run(state, machine(1, "m2"))
    assert questions(state)[1].machines == ("m1", "m3")
    assert why(state, machine(2, "m2")) == "group 1 has taken m2 in this round"
    assert why(state, machine(2, "m4")) == "group 2 has played m4 in this stage already"
    assert why(state, machine(2, "m9")) == "there is no machine m9 in this round"


def test_declining_passes_the_choice_on_and_the_group_keeps_its_turn():
    state = open_round(TWO, BANK, SEEDS)
    state, _ = run(state, *decline(1))
    assert asked(state) == {"1": "3"}
    state, _ = run(state, machine(3, "m1"), *decline(5), position(7, 1), position(1, 2))
    assert asked(state)["1"] == "3"
    state, _ = run(state, position(3, 3))
    assert group(state, "1").order == ("7", "1", "3", "5")


def test_where_nobody_chooses_officials_decide():
    state, _ = run(open_round(TWO, BANK, SEEDS), *decline(1, 3, 5, 7))
    assert asked(state) == {"1": None}
    assert why(state, machine(1, "m1")) == "in group 1, officials decide now"
    state, _ = run(state, NameMachine(group="1", machine="m3"))
    assert asked(state) == {"1": None, "2": "2"}
    state, _ = run(state, NameOrder(group="1", order=("7", "5", "3", "1")))
    assert group(state, "1").complete


def test_where_nobody_picks_the_machine_after_the_order_officials_do():
    state, _ = run(open_round(TWO, BANK, SEEDS), position(1, 1), *decline(3, 5, 7))
    assert asked(state) == {"1": None}
    state, _ = run(state, NameOrder(group="1", order=("1", "3", "5", "7")), *decline(3, 5, 7))
    assert asked(state) == {"1": None}
    state, _ = run(state, NameMachine(group="1", machine="extra"))
    assert group(state, "1").machine == "extra"
    assert "extra" in state.machines


def test_with_too_few_machines_the_groups_with_the_lowest_best_seeds_wait_and_must_take_the_first_one_free():
    groups = {"1": ("1", "6"), "2": ("2", "5"), "3": ("3", "4"), "4": ("7", "8")}
    state = open_round(groups, ["m1", "m2"], SEEDS, played={"3": frozenset({"m1"})})
    state, _ = run(state, machine(1, "m1"), position(6, 1), machine(2, "m2"), position(5, 1))
    assert [waiting_group.id for waiting_group in waiting(state)] == ["3", "4"]
    assert why(state, machine(3, "m1")) == "group 3 waits until a machine is free"
    state, events = run(state, free("m1"))
    assert events[-1] == MachineTaken(group="4", machine="m1", who=None, must=True)
    assert asked(state) == {"4": "7"}
    state, events = run(state, free("m2"))
    assert events[-1] == MachineTaken(group="3", machine="m2", who=None, must=True)
    state, _ = run(state, position(3, 2))
    assert group(state, "3").order == ("4", "3")


def test_a_machine_that_became_free_early_is_taken_by_the_group_whose_turn_comes_later():
    groups = {"1": ("1", "6"), "2": ("2", "5"), "3": ("3", "4")}
    state, _ = run(open_round(groups, ["m1", "m2"], SEEDS), machine(1, "m1"), position(6, 1), free("m1"))
    assert asked(state) == {"2": "2"}
    state, events = run(state, machine(2, "m2"))
    assert events[-1] == MachineTaken(group="3", machine="m1", who=None, must=True)


def test_a_group_that_has_played_every_machine_is_for_the_officials():
    state = open_round(TWO, ["m1", "m2"], SEEDS, played={"1": frozenset({"m1", "m2"})})
    assert asked(state) == {"1": None}
    state, _ = run(state, ReportMachine(machine="new", now="in"))
    assert questions(state)[0].machines == ("new",)


def test_a_machine_that_breaks_is_replaced_by_officials_and_the_order_stands():
    state, _ = run(open_round(TWO, BANK, SEEDS), machine(1, "m1"), position(3, 1), position(5, 2), position(7, 3))
    state, _ = run(state, ReportMachine(machine="m1", now="out"))
    assert asked(state)["1"] is None
    assert why(state, NameMachine(group="1", machine="m1")) == "m1 is out of order: report it in first"
    state, _ = run(state, NameMachine(group="1", machine="m4"))
    assert group(state, "1").order == ("3", "5", "7", "1")
    assert questions(state)[0].machines == ("m2", "m3")


def test_officials_cannot_put_two_groups_on_a_machine():
    state, _ = run(open_round(TWO, BANK, SEEDS), machine(1, "m1"))
    words = "m1 cannot be named: group 2 waits until group 1 has ended on it"
    assert why(state, NameMachine(group="2", machine="m1")) == words
    assert why(state, NameMachine(group="1", machine="m1")) == "m1 cannot be named: group 1 has it"


@pytest.mark.parametrize(("command", "words"), [
    (machine(99, "m1"), "99 is in no group of this round"),
    (machine(3, "m1"), "in group 1, 1 chooses now"),
    (position(1, 5), "position 5 is not open: 1, 2, 3, 4"),
    (position(1, 0), "position 0 is not open: 1, 2, 3, 4"),
    (NameMachine(group="9", machine="m1"), "there is no group 9 in this round"),
    (NameOrder(group="1", order=("1", "1", "5", "7")), "the order of group 1 needs each of 1, 3, 5, 7 once"),
    (free("m1"), "no group is on m1"),
    (free("m9"), "there is no machine m9 in this round"),
    (ReportMachine(machine="m1", now="in"), "m1 is in already"),
])  # fmt: skip
def test_what_cannot_be_is_refused_in_words(command: Command, words: str):
    assert why(open_round(TWO, BANK, SEEDS), command) == words


def test_what_is_over_stays_over():
    state, _ = run(open_round({"1": ("1", "2")}, BANK, SEEDS), machine(1, "m1"))
    assert why(state, free("m1")) == "group 1 has not chosen its order on m1 yet"
    assert why(state, ReportMachine(machine="m9", now="out")) == "there is no machine m9 in this round"
    state, _ = run(state, position(2, 1))
    assert why(state, Decline(who="1")) == "group 1 has chosen"
    state, _ = run(state, free("m1"), ReportMachine(machine="m1", now="out"))
    assert questions(state) == ()
    assert why(state, ReportMachine(machine="m1", now="out")) == "m1 is out of order already"
    assert why(state, NameMachine(group="1", machine="m2")) == "the game of group 1 in this round is over"


@pytest.mark.parametrize(("groups", "machines", "words"), [
    ({"1": ("1", "2"), "2": ("2", "3")}, BANK, "player 2 is named twice"),
    ({"1": ()}, BANK, "group 1 is empty"),
    ({"1": ("1", "x")}, BANK, "x of group 1 has no seed"),
    (TWO, ["m1", "m1"], "machine m1 is named twice"),
    ({str(number): () for number in range(65)}, BANK, "65 groups are too many"),
])  # fmt: skip
def test_a_round_that_cannot_be_opened_is_refused_in_words(
    groups: dict[str, tuple[str, ...]], machines: list[str], words: str
):
    with pytest.raises(PairingImpossible, match=words):
        open_round(groups, machines, SEEDS)
