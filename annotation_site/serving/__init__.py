"""The doors of the web server: who is slow, or wants too much, does not keep others waiting.

gunicorn keeps the processes; in each of them waitress reads requests and sends answers in one
thread, and the application is called in others, with requests that are there completely. What is
added here are limits (`limits`) and whom they are for.
"""
