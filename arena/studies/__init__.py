"""Questions that are answered by matches of their own: is one bot stronger, is a game fair?"""
