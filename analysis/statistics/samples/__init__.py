"""What a sample can say: resampling, intervals, and how much of it is needed."""
