"""Colours (#rrggbb) as people with each kind of colour vision see them."""


def luminance(colour):
    """Of WCAG 2."""
    return sum(part * share for part, share in zip(linear(colour), (0.2126, 0.7152, 0.0722)))


def linear(colour):
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    return [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]


# Machado, Oliveira and Fernandes 2009, severity 1: linear red, green and blue as each kind of colour vision has them.
VISIONS = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def seen_as(colour, vision):
    """CIE L*a*b* of a colour in this vision."""
    rgb = linear(colour)
    rgb = [min(1, max(0, sum(a * b for a, b in zip(line, rgb)))) for line in VISIONS[vision]]
    xyz = [sum(a * b for a, b in zip(line, rgb)) for line in
           ((0.4339, 0.3762, 0.1899), (0.2126, 0.7152, 0.0722), (0.0178, 0.1095, 0.8727))]
    x, y, z = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)
