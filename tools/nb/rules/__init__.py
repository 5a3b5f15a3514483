"""The rules that a stored notebook of the course must satisfy: small functions that yield findings, in two lists.

A rule takes a Notebook and yields a (cell, message) for each breach; the cell is None if the breach concerns the whole
notebook. A rule of the course takes a list of all notebooks and yields (notebook, cell or None, message). To add a
rule, write the function and add its name below.
"""

from nb.files import NotebookError, display_path
from nb.rules import answers, claims, code, form, links, minutes, outputs, predictions, teaching
from nb.rules.model import Notebook

RULES = [
    form.is_clean,
    form.title,
    form.tags,
    minutes.time_is_honest,
    form.ignored_outputs_have_a_reason,
    form.slides,
    form.solutions_are_hidden,
    code.is_plain_python,
    code.nothing_hidden_from_tests,
    code.length,
    code.width,
    code.batch_safe,
    code.not_defined_before,
    code.nothing_rests_on_a_solution,
    code.solutions_are_those_of_the_exercises,
    answers.cells_that_answer_say_so,
    answers.marks_mean_something,
    outputs.run_in_order,
    outputs.present,
    outputs.no_errors,
    outputs.images_have_alt_text,
    outputs.figures_are_there,
    outputs.the_same_everywhere,
    predictions.stand_in_callouts,
    predictions.answers_wait,
    links.images_have_alt_text,
    links.lead_somewhere,
    links.are_links,
    links.numbers_are_those_of_the_list,
    teaching.notes_fit_the_slides,
]
COURSE_RULES = [code.not_defined_elsewhere, claims.sentences_stand]


def findings(paths):
    """Return a list with one line of text for each breach of a rule in the notebooks at these paths; [] without any.

    paths: Path objects. A notebook that cannot be read gives one line with the reason, and no rule is applied to it.
    """
    lines, notebooks = [], []
    for path in paths:
        try:
            notebook = Notebook.read(path)
        except NotebookError as error:
            lines.append(f"{display_path(path)}: {error}")
            continue
        notebooks.append(notebook)
        lines += [_line(notebook, cell, message) for rule in RULES for cell, message in rule(notebook)]
    return lines + [_line(*finding) for rule in COURSE_RULES for finding in rule(notebooks)]


def _line(notebook, cell, message):
    """Return a finding as one line of text: the notebook's path, the cell's label if there is a cell, the message."""
    return f"{display_path(notebook.path)}: {cell.label + ': ' if cell else ''}{message}"
