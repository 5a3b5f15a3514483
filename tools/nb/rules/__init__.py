"""The rules that a stored notebook of the course must satisfy: small functions that yield messages, in five lists.

A rule takes what its list says. It yields a message about one Cell, or a pair (Cell, message) if it takes a Notebook;
the cell is None if the message is about all of it. A rule of the course takes a list of Notebooks and yields (notebook,
cell or None, message). To add a rule, write the function and add it to a list.
"""

from nb.files import NotebookError, display_path
from nb.rules import answers, claims, code, exercises, form, links, minutes, outputs, predictions, sources, teaching
from nb.rules.model import Notebook

FOR_A_NOTEBOOK = [
    form.is_clean, form.title, minutes.time_is_honest, form.slides, form.after_names_cells_above,
    code.not_defined_before, code.solutions_are_those_of_the_exercises, answers.cells_that_answer_say_so,
    answers.marks_mean_something, answers.answers_are_out_of_sight, outputs.run_in_order, predictions.answers_wait,
    predictions.outcomes_are_folded,
    links.lead_somewhere, teaching.notes_fit_the_slides, exercises.page_and_list_agree,
    exercises.nothing_is_left_to_do, exercises.prompts_are_whole, exercises.answers_are_filed,
    sources.works_are_named, sources.next_to_read_is_short,
]  # fmt: skip
FOR_A_CELL = [form.tags, form.ignored_outputs_have_a_reason, form.solutions_are_hidden]
FOR_A_CODE_CELL = [
    code.is_plain_python, code.nothing_hidden_from_tests, code.length, code.width, code.batch_safe,
    code.comparisons_allow_for_rounding, code.nothing_rests_on_a_solution, outputs.present, outputs.no_errors,
    outputs.images_have_alt_text, outputs.figures_are_there, outputs.the_same_everywhere,
]  # fmt: skip
FOR_A_MARKDOWN_CELL = [
    predictions.stand_in_callouts, links.images_have_alt_text, links.are_links,
    lambda cell: links.misnumbered(cell.source),
]  # fmt: skip
FOR_THE_COURSE = [code.not_defined_elsewhere, claims.sentences_stand]


def findings(paths) -> list[str]:
    """Return one line for each breach of a rule in the notebooks at some Paths, or for one that cannot be read."""
    lines, notebooks = [], []
    for path in paths:
        try:
            notebooks.append(Notebook.read(path))
        except NotebookError as error:
            lines.append(f"{display_path(path)}: {error}")
        else:
            lines += [_line(notebooks[-1], *finding) for finding in _findings_in(notebooks[-1])]
    return lines + [_line(*finding) for rule in FOR_THE_COURSE for finding in rule(notebooks)]


def _findings_in(notebook: Notebook):
    for rule in FOR_A_NOTEBOOK:
        yield from rule(notebook)
    for cells, rules in (
        (notebook.cells, FOR_A_CELL),
        (notebook.code_cells, FOR_A_CODE_CELL),
        (notebook.markdown_cells, FOR_A_MARKDOWN_CELL),
    ):
        yield from ((cell, message) for rule in rules for cell in cells for message in rule(cell))


def _line(notebook: Notebook, cell, message: str) -> str:
    return f"{display_path(notebook.path)}: {cell.label + ': ' if cell else ''}{message}"
