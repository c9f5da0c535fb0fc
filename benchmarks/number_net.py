"""The network that reads numbers, as it learns: benchmarks/train_numbers.py draws for it. Needs torch."""

from __future__ import annotations

import time

import numpy as np
import torch

from vision.numbers import KNOWN_NUMBERS, PATCH_PX

CHANNELS, HIDDEN = (24, 48, 64), 128  # half as many again as read ones that stand on a foot as twos


class Net(torch.nn.Module):
    """The same network as vision.numbers.DigitNet, with each convolution's outputs normalised while it learns."""

    def __init__(self) -> None:
        super().__init__()
        before = (2, *CHANNELS[:-1])
        self.convolutions = torch.nn.ModuleList(
            torch.nn.Conv2d(a, b, 3, padding=1, bias=False) for a, b in zip(before, CHANNELS, strict=True))  # fmt: skip
        self.norms = torch.nn.ModuleList(torch.nn.BatchNorm2d(b) for b in CHANNELS)
        self.d1 = torch.nn.Linear(CHANNELS[-1] * (PATCH_PX // 8) ** 2, HIDDEN)
        self.d2 = torch.nn.Linear(HIDDEN, KNOWN_NUMBERS)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for convolution, norm in zip(self.convolutions, self.norms, strict=True):
            x = torch.nn.functional.max_pool2d(torch.relu(norm(convolution(x))), 2)
        x = torch.relu(self.d1(torch.nn.functional.dropout(x.flatten(1), 0.1, self.training)))
        return self.d2(x)

    def weights(self) -> dict[str, np.ndarray]:
        """What DigitNet takes: the normalisation is part of the kernels and their biases."""
        out: dict[str, torch.Tensor] = {}
        for k, (convolution, norm) in enumerate(zip(self.convolutions, self.norms, strict=True), 1):
            scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
            out[f"c{k}"] = convolution.weight * scale[:, None, None, None]
            out[f"bc{k}"] = norm.bias - norm.running_mean * scale
        for name in ("d1", "d2"):
            layer = getattr(self, name)
            out[name], out["b" + name] = layer.weight, layer.bias
        return {name: value.detach().contiguous().numpy().astype(np.float16) for name, value in out.items()}


def train(net: Net, inputs: np.ndarray, labels: np.ndarray, epochs: int, seed: int) -> None:
    """Adam with one rise and fall of the rate; inputs are turned by quarters, which keeps what they show."""
    rng = np.random.default_rng(seed)
    net.to(memory_format=torch.channels_last)
    batch, steps = 256, epochs * (len(labels) // 256)
    optimiser = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, total_steps=steps + 1)
    start = time.time()
    for epoch in range(epochs):
        net.train()
        order, losses = rng.permutation(len(labels)), []
        for i in range(0, len(order) - batch + 1, batch):
            pick = np.sort(order[i : i + batch])
            x = torch.from_numpy(inputs[pick].astype(np.float32) / 80)
            x = torch.rot90(x, int(rng.integers(4)), (2, 3)).contiguous(memory_format=torch.channels_last)
            loss = torch.nn.functional.cross_entropy(net(x), torch.from_numpy(labels[pick]))
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            losses.append(float(loss.detach()))
        print(f"epoch {epoch + 1}: loss {np.mean(losses):.4f}, {time.time() - start:.0f} s", flush=True)
