"""The evaluation lab: reports on automatic measures and QA systems, from judged answers.

A report is made of records alone: no Django, no database, no clock.
"""
