"""The one door of Dask: how hosts are reached, and a function is run there."""
