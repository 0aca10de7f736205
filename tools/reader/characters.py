"""Train the network that recognizes the characters of texts beside a board, with NumPy alone.

    python tools/reader/characters.py -o src/mineproof/screens/characters.npz

draws characters in the fonts of matplotlib at many sizes, as `mineproof.screens.text` cuts them from a picture. The
last class is anything else: parts of characters, and two that touch. It takes half a minute of a processor.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "src")]

from mineproof.screens.text import CHARACTERS, TALL, WIDE, shape  # noqa: E402
from support.skins import fonts  # noqa: E402

HIDDEN = 64
BATCH = 128
OTHER = len(CHARACTERS) - 1
DESCENDING = "gjqyQ"
OTHERS = "cpvwxzCUVWXZ.,-!()%&+=[]#*"  # other letters and signs


def cut(text: str, rng: np.random.Generator) -> np.ndarray | None:
    """A character as it comes from a picture; None if nothing is left of it."""
    known = fonts.paths()
    size = int(np.exp(rng.uniform(np.log(9), np.log(48))))
    face = fonts.font(known[int(rng.integers(len(known)))], size)
    picture = Image.new("L", (3 * size * len(text), 3 * size))
    brush = ImageDraw.Draw(picture)
    brush.fontmode = "1" if rng.random() < 0.1 else "L"
    if text == "1" and rng.random() < 0.5:
        _draw_plain_one(brush, size, rng)
    else:
        brush.text((size + rng.random(), size + rng.random()), text, font=face, fill=255)
    if rng.random() < 0.5:
        factor = rng.uniform(0.6, 1.7)
        picture = picture.resize(
            (round(picture.width * factor), round(picture.height * factor)), Image.Resampling.BILINEAR
        )
    if rng.random() < 0.3:
        picture = picture.filter(ImageFilter.GaussianBlur(rng.uniform(0.2, 0.6)))
    if rng.random() < 0.4:  # other proportions and weights than the fonts have
        picture = picture.resize((round(picture.width * rng.uniform(0.75, 1.3)), picture.height))
        if size > 20:
            spread = ImageFilter.MaxFilter(3) if rng.random() < 0.6 else ImageFilter.MinFilter(3)
            picture = picture.filter(spread)
    mask = np.asarray(picture) > rng.uniform(70, 185)
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    if not rows.size:
        return None
    if len(text) == 1 and text not in ":ij" and len(rows) < 5:
        return None
    mask = mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    if rng.random() < 0.15 and len(text) == 1 and text in OTHERS[:11]:
        mask = mask[: max(3, int(rng.uniform(0.4, 0.8) * len(mask)))]  # a part of a character
    own = mask.shape[0]
    line = round(own * _line_height(text, rng))
    drop = line - own if text not in DESCENDING else max(0, line - own)
    return shape(mask, max(line, own), max(0, drop))


def _draw_plain_one(brush: ImageDraw.ImageDraw, size: int, rng: np.random.Generator) -> None:
    """A 1 without a foot, as most fonts of screens have it; those of matplotlib all have one."""
    tall, thick = 0.72 * size, max(1, round(rng.uniform(0.07, 0.17) * size))
    x, y = size + 0.5 * size, float(size)
    brush.rectangle((x - thick, y, x, y + tall), fill=255)
    reach, drop = rng.uniform(0.12, 0.3) * size, rng.uniform(0.08, 0.25) * size
    brush.polygon(
        [(x - thick, y), (x, y), (x - thick, y + thick), (x - reach, y + drop + thick), (x - reach, y + drop)], fill=255
    )


def _line_height(text: str, rng: np.random.Generator) -> float:
    """The height of a line over that of a character in it; small letters stand in a line of small or of large ones."""
    if text.isdigit() or text.isupper() or text in "bdfhklt/":
        return 1.0 if rng.random() < 0.8 else rng.uniform(1.0, 1.35)
    return 1.0 if rng.random() < 0.3 else rng.uniform(1.2, 1.6)


def examples(count: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    images: list[np.ndarray] = []
    labels: list[int] = []
    while len(labels) < count:
        choice = rng.random()
        if choice < 0.4:
            text = str(rng.choice(list("0123456789/:")))
        elif choice < 0.8:
            text = str(rng.choice(list(CHARACTERS[12:-1])))
        else:
            text = str(rng.choice(list(OTHERS)))
            if rng.random() < 0.4:
                text = "".join(rng.choice(list(CHARACTERS[:-1]), 2))
        image = cut(text, rng)
        if image is not None:
            images.append(image)
            labels.append(CHARACTERS.index(text) if text in CHARACTERS else OTHER)
    return np.stack(images).astype(np.float32), np.array(labels)


def train(images: np.ndarray, labels: np.ndarray, epochs: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Two layers, by Adam."""
    sides = WIDE * TALL + 3
    weights = {
        "hidden": rng.normal(0, (2 / sides) ** 0.5, (sides, HIDDEN)).astype(np.float32),
        "hidden_bias": np.zeros(HIDDEN, np.float32),
        "out": rng.normal(0, (1 / HIDDEN) ** 0.5, (HIDDEN, OTHER + 1)).astype(np.float32),
        "out_bias": np.zeros(OTHER + 1, np.float32),
    }
    means = {name: np.zeros_like(values) for name, values in weights.items()}
    squares = {name: np.zeros_like(values) for name, values in weights.items()}
    steps, step = epochs * (len(labels) // BATCH), 0
    for _ in range(epochs):
        order = rng.permutation(len(labels))
        for start in range(0, len(labels) - BATCH + 1, BATCH):
            at = order[start : start + BATCH]
            seen = images[at]
            hidden = np.maximum(seen @ weights["hidden"] + weights["hidden_bias"], 0)
            scores = hidden @ weights["out"] + weights["out_bias"]
            chances = np.exp(scores - scores.max(1, keepdims=True))
            chances /= chances.sum(1, keepdims=True)
            chances[np.arange(BATCH), labels[at]] -= 1
            slope = chances / BATCH
            back = (slope @ weights["out"].T) * (hidden > 0)
            slopes = {
                "hidden": seen.T @ back, "hidden_bias": back.sum(0), "out": hidden.T @ slope, "out_bias": slope.sum(0),
            }  # fmt: skip
            step += 1
            rate = 3e-3 * min(1.0, step / 200) * (1 - step / (steps + 1))
            for name, value in slopes.items():
                means[name] = 0.9 * means[name] + 0.1 * value
                squares[name] = 0.99 * squares[name] + 0.01 * value**2
                weights[name] -= rate * means[name] / (np.sqrt(squares[name]) + 1e-7)
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--examples", type=int, default=45_000)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", type=Path, required=True)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    weights = train(*examples(options.examples, rng), options.epochs, rng)
    images, labels = examples(3_000, rng)
    hidden = np.maximum(images @ weights["hidden"] + weights["hidden_bias"], 0)
    best = (hidden @ weights["out"] + weights["out_bias"]).argmax(1)
    digits = labels < 10
    print(f"right {(best == labels).mean():.3f}, of digits {(best == labels)[digits].mean():.3f}")
    np.savez_compressed(options.o, **{name: values.astype(np.float16) for name, values in weights.items()})  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
