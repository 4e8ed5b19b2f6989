"""What a machine is and how to hear it: profiles, ports, simulated machines.

No score is understood here: a port hands on bytes and frames, a profile is data.
"""
