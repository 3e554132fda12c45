"""M2 (MaxMatch), Dahlmeier and Ng (2012)."""
