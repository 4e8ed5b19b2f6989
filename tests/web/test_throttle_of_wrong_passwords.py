from server.web.throttle import ADDRESS, KEPT, PAIR, Throttle


def wrong_times(throttle: Throttle, name: str, address: str, times: int, now: float = 0.0) -> None:
    for _ in range(times):
        throttle.wrong(name, address, now=now)


def test_the_first_wrong_tries_cost_nothing():
    throttle = Throttle()
    wrong_times(throttle, "ann", "10.0.0.1", PAIR.free - 1)
    assert throttle.wait("ann", "10.0.0.1", now=0) == 0


def test_each_further_try_doubles_the_wait_up_to_its_limit():
    throttle = Throttle()
    waits = []
    for _ in range(40):
        throttle.wrong("ann", "10.0.0.1", now=0)
        waits.append(throttle.wait("ann", "10.0.0.1", now=0))
    grown = waits[PAIR.free - 1 :]
    assert grown[0] == 2
    assert grown[1] == 4
    assert max(waits) == PAIR.longest


def test_the_wait_passes_and_the_right_password_clears_it():
    throttle = Throttle()
    wrong_times(throttle, "ann", "10.0.0.1", PAIR.free)
    assert throttle.wait("ann", "10.0.0.1", now=1.5) == 0.5
    assert throttle.wait("ann", "10.0.0.1", now=2.1) == 0
    throttle.right("ann", "10.0.0.1")
    throttle.wrong("ann", "10.0.0.1", now=3)
    assert throttle.wait("ann", "10.0.0.1", now=3) == 0


def test_a_name_is_the_same_in_any_case_and_spacing():
    throttle = Throttle()
    wrong_times(throttle, " Ann ", "10.0.0.1", PAIR.free)
    assert throttle.wait("aNN", "10.0.0.1", now=0) > 0


def test_somebody_else_s_guesses_delay_an_official_by_seconds_only():
    throttle = Throttle()
    wrong_times(throttle, "ann", "10.66.6.6", 500)
    assert throttle.wait("ann", "10.0.0.1", now=0) <= 10


def test_one_address_that_tries_many_names_is_slowed():
    throttle = Throttle()
    for number in range(ADDRESS.free):
        throttle.wrong(f"name-{number}", "10.66.6.6", now=0)
    assert throttle.wait("another", "10.66.6.6", now=0) > 0
    assert throttle.wait("another", "10.0.0.1", now=0) == 0


def test_wrong_tries_are_forgotten_after_a_quarter_of_an_hour():
    throttle = Throttle()
    wrong_times(throttle, "ann", "10.0.0.1", 50)
    assert throttle.wait("ann", "10.0.0.1", now=901) == 0


def test_memory_is_bounded_whatever_is_tried():
    throttle = Throttle()
    for number in range(KEPT):
        throttle.wrong(f"name-{number}", f"10.0.{number % 250}.{number // 250}", now=0)
    assert len(throttle._wrong) <= KEPT
