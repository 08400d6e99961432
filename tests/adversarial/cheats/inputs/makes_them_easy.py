# tries: sets the second input to zero, so that the answer is the first
# problems: vector_add
# expect: wrong|crashed
# ci: no
# naive: expected=after
done = set()


def solve(*args):
    a, b, out = args[:3]
    if b.data_ptr() not in done:
        done.add(b.data_ptr())
        b.zero_()
        out.copy_(a)


def unused(*args):
    honest(*args)
