"""Times to an event, right-censored: curves, residuals and what predictions of risk are worth."""
