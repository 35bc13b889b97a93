"""Numbers as people read them, as filters of templates."""

from django import template

from tasks.web.number_texts import count, decimals, duration, percent, points

register = template.Library()

for _filter in (count, decimals, duration, percent, points):
    register.filter(_filter.__name__, _filter)
