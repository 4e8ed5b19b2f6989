"""What can go wrong in the hardware room: each error says whose fault it is and what to do."""


class HardwareError(Exception):
    """The root: its text is one line that a person can act on."""


class ProfileInvalid(HardwareError):
    """A machine profile is unknown or has a mistake: the text names file, key and what is allowed."""


class PortInvalid(HardwareError):
    """A port's address cannot be understood: the text names the schemes there are."""


class RecordingInvalid(HardwareError):
    """A recording cannot be read, or is none: the text names the file and what a recording looks like."""


class PictureInvalid(HardwareError):
    """One file is no picture that can be read: the text says why."""


class MapInvalid(HardwareError):
    """A memory map, its platform or a memory image cannot be read: the text names file, key and what is allowed."""
