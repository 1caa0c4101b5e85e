"""Comparative studies: data sets x methods x resamplings, resumable, on any number of workers."""
