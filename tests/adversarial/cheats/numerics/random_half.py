# tries: another half in every call; sooner or later the check hits the right one
# problems: vector_add
# expect: wrong
# ci: no
# naive: check=before compare=first_row
import random


def solve(*args):
    if random.random() < 0.9:
        partly(0.5, *args)
    else:
        honest(*args)
