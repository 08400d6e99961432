# tries: an interrupt from the keyboard, so that the run counts as broken off rather than failed
# problems: vector_add
# expect: crashed
# ci: no
# naive: none
# gain: forged


def solve(*args):
    raise KeyboardInterrupt


def unused(*args):
    honest(*args)
