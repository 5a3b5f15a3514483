"""A start page with the model beside it, made once for all tests in a folder of their own."""

from publish import around, own, site, weights


def make(folder):
    sizes = weights.write_scripts(folder / "model")
    text, pictures = site.with_pictures_beside(site.start_page(around.values(0, sizes), site.steps_of({})))
    shared = site.shared_files() | own.shared_files(folder / "model", sizes)
    for name, data in (pictures | {f"assets/{name}": data for name, data in shared.items()}).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(data)
    page = folder / "index.html"
    page.write_text(text, "utf-8")
    return page
