"""Operations: the demo, and the processes that it starts and watches. No rule and no reading lives here."""
