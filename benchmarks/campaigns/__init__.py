"""Campaigns that measurements need, made straight in the database."""
