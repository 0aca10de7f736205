"""Learns to tell marks from looks, on the examples that examples.py made, with PyTorch.

    python tools/reader/train.py build/examples --check build/check -o src/mineproof/screens/marks.npz

The network is small on purpose (see `mineproof.screens.network`, which runs it with NumPy alone). Its weights are
written as half-precision numbers with the commands and versions they come from.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

CLASSES = "012345678#F?*X-"


class Net(nn.Module):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__()
        self.convolutions = nn.ModuleList(
            [
                nn.Conv2d(6, 24, 3, stride=2, padding=1),
                nn.Conv2d(24, 32, 3, padding=1),
                nn.Conv2d(32, 48, 3, stride=2, padding=1),
                nn.Conv2d(48, 64, 3, padding=1),
            ]
        )
        self.hidden = nn.Linear(7 * 7 * 64, 96)
        self.out = nn.Linear(96, len(CLASSES))
        self.drop = nn.Dropout(0.2)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """``images`` (n, 28, 28, 3) from 0 to 1."""
        x = with_contrast(images).permute(0, 3, 1, 2)  # channels stay last in memory, which is quicker
        for layer in self.convolutions:
            x = functional.relu(layer(x))
        x = x.permute(0, 2, 3, 1).flatten(1)  # as NumPy lays it out
        return self.out(self.drop(functional.relu(self.hidden(x))))


def with_contrast(images: torch.Tensor) -> torch.Tensor:
    """The looks themselves, and the same with mean 0 and deviation 1, so that faint marks are seen."""
    mean = images.mean((1, 2, 3), keepdim=True)
    deviation = images.std((1, 2, 3), keepdim=True, unbiased=False)
    return torch.cat([images - 0.5, (images - mean) / (deviation + 0.02)], -1)


def load(folder: Path) -> tuple[torch.Tensor, torch.Tensor]:
    parts = [np.load(path) for path in sorted(folder.glob("*.npz"))]
    images = np.concatenate([part["images"] for part in parts])
    labels = np.concatenate([part["labels"] for part in parts])
    return torch.from_numpy(images), torch.from_numpy(labels.astype(np.int64))


def vary_images(images: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Other brightness, contrast and, for some, other colours."""
    count = images.shape[0]
    gain = 1 + 0.3 * (torch.rand(count, 1, 1, 1, generator=generator) - 0.5)
    shift = 0.2 * (torch.rand(count, 1, 1, 3, generator=generator) - 0.5)
    images = ((images - 0.5) * gain + 0.5 + shift).clamp(0, 1)
    some = torch.rand(count, generator=generator) < 0.15
    images[some] = images[some].flip(-1)
    negative = torch.rand(count, generator=generator) < 0.05
    images[negative] = 1 - images[negative]
    return images


def score(net: Net, images: torch.Tensor, labels: torch.Tensor) -> tuple[float, dict[str, float]]:
    net.eval()
    with torch.no_grad():
        result = torch.cat([net(part.float() / 255).argmax(1) for part in images.split(2000)])
    right = result == labels
    each = {mark: right[labels == k].float().mean().item() for k, mark in enumerate(CLASSES) if (labels == k).any()}
    return right.float().mean().item(), each


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("examples", type=Path)
    parser.add_argument("--check", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="weights to continue from; the default is a new network")
    parser.add_argument("--rate", type=float, default=3e-3, help="highest rate of learning")
    parser.add_argument("-o", type=Path, required=True)
    chosen = parser.parse_args()
    torch.manual_seed(chosen.seed)
    torch.set_num_threads(2)
    generator = torch.Generator().manual_seed(chosen.seed)
    images, labels = load(chosen.examples)
    checked = load(chosen.check)
    print(len(labels), "examples,", len(checked[1]), "to check", flush=True)
    net = Net().to(memory_format=torch.channels_last)
    if chosen.start:
        restore(net, chosen.start)
        print(f"start: right {score(net, *checked)[0]:.4f}", flush=True)
    optimiser = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=1e-4)
    batch = 256
    steps = chosen.epochs * (len(labels) // batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, chosen.rate, total_steps=steps)
    done = 0
    for _ in range(chosen.epochs):
        net.train()
        order = torch.randperm(len(labels), generator=generator)
        for start in range(0, len(labels) - batch + 1, batch):
            at = order[start : start + batch]
            with torch.autocast("cpu", torch.bfloat16):
                scores = net(vary_images(images[at].float() / 255, generator))
            loss = functional.cross_entropy(scores.float(), labels[at], label_smoothing=0.02)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            done += 1
            if done % 200 == 0:
                print(f"step {done} of {steps}, loss {loss.item():.3f}", flush=True)
        share, each = score(net, *checked)
        print(f"right {share:.4f}", {mark: round(part, 3) for mark, part in each.items()}, flush=True)
        save(
            net,
            chosen.o,
            {
                "examples": len(labels),
                "seed": chosen.seed,
                "epochs": chosen.epochs,
                "start": str(chosen.start.name) if chosen.start else "",
                "right": round(share, 4),
                "torch": torch.__version__,
            },
        )


def restore(net: Net, path: Path) -> None:
    """Load weights that `save` wrote."""
    held = np.load(path)
    with torch.no_grad():
        for k, layer in enumerate(net.convolutions):
            layer.weight.copy_(torch.from_numpy(held[f"conv{k}"].astype(np.float32)).permute(3, 2, 0, 1))
            layer.bias.copy_(torch.from_numpy(held[f"conv{k}_bias"].astype(np.float32)))
        for name, layer in (("hidden", net.hidden), ("out", net.out)):
            layer.weight.copy_(torch.from_numpy(held[name].astype(np.float32)).T)
            layer.bias.copy_(torch.from_numpy(held[f"{name}_bias"].astype(np.float32)))


def save(net: Net, path: Path, provenance: dict[str, object]) -> None:
    weights: dict[str, np.ndarray] = {}
    for k, layer in enumerate(net.convolutions):
        weights[f"conv{k}"] = layer.weight.detach().permute(2, 3, 1, 0).numpy().astype(np.float16)  # y, x, in, out
        weights[f"conv{k}_bias"] = layer.bias.detach().numpy().astype(np.float16)
    for name, layer in (("hidden", net.hidden), ("out", net.out)):
        weights[name] = layer.weight.detach().T.numpy().astype(np.float16)
        weights[f"{name}_bias"] = layer.bias.detach().numpy().astype(np.float16)
    weights["provenance"] = np.array(json.dumps(provenance))
    np.savez_compressed(path, **weights)  # type: ignore[arg-type]
    print(path, path.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
