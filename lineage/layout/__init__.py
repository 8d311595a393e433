"""Where the nodes of a diagram stand, and how they look: shared by every drawing."""
