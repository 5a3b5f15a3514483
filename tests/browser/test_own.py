"""Test the part of the start page in which the model reads a sentence that a visitor types."""

import json
from pathlib import Path

import pytest
import torch
from publish import around, own, site, weights

from course_utils.models import minilm

pytestmark = pytest.mark.needs_weights

SENTENCES = json.loads((Path(__file__).parents[1] / "data" / "minilm_sentences.json").read_text("utf-8"))
IS_READ = "document.querySelector('.own-status').textContent.startsWith('Read in')"
# The weights that the view is given, of the sentences in turn; the reader is the one of the page.
WEIGHTS_OF = """async (texts) => {
  const found = [];
  for (const text of texts) {
    const { tokens, layers } = await own.reader.read(text);
    found.push([tokens, layers.map(({ weights }) => Array.from(weights))]);
  }
  return found;
}"""


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own")
    sizes = weights.write_scripts(folder / "model")
    text, pictures = site.with_pictures_beside(site.start_page(around.values(0, sizes), site.steps_of({})))
    shared = site.shared_files() | own.shared_files(folder / "model", sizes)
    for name, data in (pictures | {f"assets/{name}": data for name, data in shared.items()}).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(data)
    (folder / "index.html").write_text(text, "utf-8")
    return (folder / "index.html").as_uri()


@pytest.fixture
def asked(page):
    """Return a list to which the names of the scripts of weights are added as the page asks for them."""
    names = []

    def hear(request):
        if "/model/" in request.url:
            names.append(request.url.rpartition("/")[2].removesuffix(".js"))

    page.on("request", hear)
    return names


def read(page, text, line=0):
    page.locator(".own-line input").nth(line).fill(text)
    page.evaluate("document.querySelector('.own-status').textContent = ''")
    page.locator(".own-line input").nth(line).press("Enter")
    page.wait_for_function(IS_READ)


def test_weights_are_those_of_the_model(page, start):
    """With the same rounded weights as PyTorch's within 1e-4, and with the full ones within 0.04."""
    page.goto(start)
    page.evaluate("document.getElementById('own').querySelector('form').remove()")
    page.evaluate("window.own = ownSentence(document.createElement('div'))")
    found = page.evaluate(WEIGHTS_OF, SENTENCES)
    model, rounded = minilm.load(), minilm.load()
    full = [model(sentence) for sentence in SENTENCES]
    for one in rounded.parameters():
        if one.ndim == 2:
            whole, scales = weights.rounded(one.detach().numpy())
            one.data.copy_(torch.from_numpy(whole * scales.repeat(weights.GROUP, axis=1)))
    num_whole = 0
    for sentence, (tokens, layers), expected in zip(SENTENCES, found, full, strict=True):
        if len(tokens) != len(expected.tokens):
            assert len(expected.tokens) > len(tokens) == 64, sentence
            continue
        got = torch.tensor(layers).view(expected.attn_weights.shape)
        assert tokens == expected.tokens
        assert (got - rounded(sentence).attn_weights).abs().max() <= 1e-4, sentence
        assert (got - expected.attn_weights).abs().max() <= 0.04, sentence
        num_whole += 1
    assert num_whole >= 47


def test_a_sentence_is_read_and_its_arcs_open_to_their_numbers(page, start, expect, asked):
    page.goto(start)
    expect(page.locator(".own-status")).to_contain_text("MB for common words")
    assert asked == []
    tally = page.locator(".own-tally")
    expect(tally).to_contain_text("With weak, it looks at robot 0.53, hill 0.14")
    page.locator(".own-last > summary").click()  # its arcs are of another sentence than the one above
    page.get_by_role("button", name="The word before").click()
    expect(tally).to_contain_text("With steep, it looks at robot 0.11, hill 0.55. You have tried 2 of 40.")
    expect(tally).to_contain_text("robot: weak. hill: steep.")
    read(page, "The trophy did not fit into the suitcase because it was too big.")
    out = page.locator(".own-out")
    expect(out.locator(".av-sentence .av-status")).to_contain_text("it looks most at trophy")
    out.get_by_role("button", name="Where does").click()
    expect(out.locator(".av-arc")).to_contain_text("trophy")
    out.get_by_text("All heads of a layer").click()
    out.locator("details").get_by_role("combobox", name="layer").select_option("5")
    expect(out.locator(".av-sentence").get_by_role("combobox", name="layer")).to_have_value("5")


def test_the_address_holds_both_sentences_and_what_a_visitor_may_type(page, start, expect):
    page.goto(start)
    page.get_by_role("button", name="Put a second sentence").click()
    page.locator(".own-line input").nth(1).fill("The robot & the hill = steep?")
    read(page, "A cat, 100 % asleep.")
    expect(page.locator(".own-out .av-sentence")).to_have_count(2)
    page.locator(".own-out .av-sentence").nth(0).get_by_role("combobox", name="head").select_option("7")
    second = page.locator(".own-out .av-sentence").nth(1)
    expect(second.get_by_role("combobox", name="head")).to_have_value("7")
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    line, second = (page.locator(".own-line input").nth(i) for i in (0, 1))
    expect(line).to_have_value("A cat, 100 % asleep.")
    expect(second).to_have_value("The robot & the hill = steep?")
    # Another address in the same tab, as when a second shared link is opened there, brings its own.
    page.goto(f"{start}#s=first")
    expect(line).to_have_value("first")
    page.goto(f"{start}#s=a+second+%26+more&s=beside+it")
    expect(line).to_have_value("a second & more")
    expect(second).to_have_value("beside it")
    expect(page.locator(".own-status")).to_contain_text("press Read")
    page.goto(f"{start}#s=third")
    expect(line).to_have_value("third")
    expect(second).to_be_hidden()
    expect(page.get_by_role("button", name="Put a second sentence")).to_be_visible()
    line.fill("typed")
    page.goto(f"{start}#notebooks")  # a part of the page
    expect(line).to_have_value("typed")
    read(page, "A cat.")
    assert page.url == f"{start}#s=A+cat."
    page.goto(f"{start}#s=A+dog.")
    page.locator(".own-go").click()
    expect(page.locator(".own-out .av-word", has_text="dog")).to_be_visible()
    for text, says in (
        ("", "There is nothing to read yet"),
        ("\u200b\u200d", "The model knows no piece of this"),
        ("word " * 300, "A sentence of 302 pieces is too long: the first 63"),
        ("Attention", "Read in"),
        ("猫は川を渡れなかった。", "Read in"),
        ("猫は川を渡れなかった。", "[UNK] stands for what the model has no piece for: it has read English alone."),
        ("transformerly", "## begins a piece that goes on with the word before it."),
    ):
        page.evaluate("document.querySelector('.own-status').textContent = ''")
        page.locator(".own-line input").first.fill(text)
        page.locator(".own-go").click()
        expect(page.locator(".own-status"), text[:9]).to_contain_text(says)


def test_a_load_that_broke_off_goes_on(page, start, expect, asked):
    page.goto(start)
    broken = Path(start.removeprefix("file://")).parent / "model" / "layers.3.js"
    whole = broken.read_bytes()
    try:
        broken.write_bytes(b"")
        page.locator(".own-go").click()
        expect(page.locator(".own-status")).to_contain_text("layers.3.js did not come")
    finally:
        broken.write_bytes(whole)
    page.get_by_role("button", name="Go on").click()
    page.wait_for_function(IS_READ)
    assert asked.count("layers.2") == 1 and asked.count("layers.3") == 2 and asked.count("layers.5") == 1


def test_a_browser_without_workers_has_the_stored_words(page, start, expect):
    page.add_init_script("delete window.Worker")
    page.goto(start)
    expect(page.locator(".own")).to_contain_text("the model runs in one")
    page.get_by_role("combobox", name="last word").select_option("steep")
    expect(page.locator(".own-last .av-status")).to_contain_text("it looks most at hill (0.55)")


def test_a_page_that_saves_data_loads_when_asked(page, start, expect, asked):
    page.add_init_script("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")
    page.goto(start)
    page.locator(".own-line input").first.fill("A cat.")
    expect(page.locator(".own-status")).to_contain_text("when you press Read")
    assert asked == []
    page.locator(".own-go").click()
    page.wait_for_function(IS_READ)
    assert asked[0] == "words" and "layers.5" in asked
