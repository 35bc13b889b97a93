"""Is a release what it claims to be?"""
