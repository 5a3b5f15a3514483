"""Test that ScalingLab shows after each move what torch computes."""

import re

import pytest
import torch

from course_utils.widgets import ScalingLab
from course_utils.widgets.scaling.scaling import BINS

GENERATOR = torch.Generator().manual_seed(0)
SCORES = {d: torch.randn(100, 1, 16, generator=GENERATOR) * d**0.5 for d in (1, 16, 64, 256)}


def assert_shows(root, expect, head_dim, temperature=1.0, divided=False):
    """Check that the text, the controls and the bars of the weights are right for this setting."""
    seen = SCORES[head_dim][:, 0].double() / temperature / (head_dim**0.5 if divided else 1)
    weights = seen.softmax(-1)
    entropy = torch.special.entr(weights).sum(-1).mean()
    expect(root.get_by_role("status").last).to_contain_text(f"variance {seen.var():.2f}, mean entropy {entropy:.2f} ")
    for name, value in {"head_dim": head_dim, "temperature": temperature}.items():
        expect(root.get_by_role("slider", name=name)).to_have_attribute("aria-valuetext", f"{value:g}")
        expect(root.locator("label", has_text=re.compile(f"^{name}")).locator("output")).to_have_text(f"{value:g}")
    expect(root.get_by_role("checkbox")).to_be_checked(checked=divided)
    heights = root.locator(".av-scaling rect").evaluate_all(
        "bars => bars.map(bar => bar.getBoundingClientRect().height)"
    )
    assert heights[BINS:-2] == pytest.approx((150 * weights[0]).tolist(), abs=0.5)
    assert heights[-2] == pytest.approx(150 * entropy.item() / torch.tensor(16.0).log().item(), abs=0.5)


def test_exported_page(open_html, expect):
    root = open_html(ScalingLab(SCORES).to_html()).locator(".av")
    head_dim, temperature = (root.get_by_role("slider", name=name) for name in ("head_dim", "temperature"))
    assert_shows(root, expect, 64)
    head_dim.press("ArrowRight")
    assert_shows(root, expect, 256)
    root.get_by_label("divide by the root of head_dim").check()
    assert_shows(root, expect, 256, divided=True)
    temperature.press("Home")
    assert_shows(root, expect, 256, 0.1, divided=True)
    temperature.press("End")
    head_dim.press("Home")
    assert_shows(root, expect, 1, 10, divided=True)
    box = temperature.bounding_box()
    temperature.click(position={"x": box["width"] / 2, "y": box["height"] / 2})
    root.get_by_label("divide by the root of head_dim").uncheck()
    chosen = float(temperature.get_attribute("aria-valuetext"))
    assert 0.7 <= chosen <= 1.5
    assert_shows(root, expect, 1, chosen)
