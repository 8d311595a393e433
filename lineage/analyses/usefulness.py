"""How often memories that were put before an agent were drawn on."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_Z = 1.959963984540054
"""The 97.5 % point of the normal distribution: 95 % lie within it on both sides."""


def wilson(used: NDArray[np.int64], injected: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """The 95 % interval of the share that was used, lower and upper ends; NaN where nothing was injected.

    The score interval of Wilson, "Probable inference, the law of succession,
    and statistical inference" (1927): with p = used / injected, n = injected,
    (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n). More uses than injections
    count as every one used.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        count = np.where(injected > 0, injected, np.nan).astype(np.float64)
        share = np.clip(used / count, 0.0, 1.0)
        middle = share + _Z**2 / (2 * count)
        half = _Z * np.sqrt(share * (1 - share) / count + _Z**2 / (4 * count**2))
        whole = 1 + _Z**2 / count
        return (middle - half) / whole, (middle + half) / whole
