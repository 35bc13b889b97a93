"""Addresses of the pages, as these say them."""

from tasks.web.addresses import pages, patterns

urlpatterns = patterns(pages())
