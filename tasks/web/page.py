"""A page, as Django calls it."""

from collections.abc import Callable

from django.http import HttpResponseBase

# as Django calls it: with the parts of the address by their names
View = Callable[..., HttpResponseBase]
