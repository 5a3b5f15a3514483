"""Test the sizes that a class on a hub needs, and that the guide and the settings have them."""

from types import SimpleNamespace

import yaml
from class_sizes import MACHINE, MEASURED, WRITING, Student, needs, table
from nb.files import COURSE

HUB = COURSE / "deploy" / "hub"
STUDENT = Student(server=110, kernel=250, server_alone=150, kernel_alone=400, others=250, start=6, work=0.6)


def test_sizes_follow_from_one_student():
    few = needs(30, STUDENT)
    assert few.guarantee == 384  # 360, in steps of 64
    assert few.limit == 1344  # 150 + 400 + 3 * 250 = 1300
    assert few.memory == 30 * 384 / 1024
    assert (few.share, few.cores) == (0.1, 3)  # 6 s of CPU time in a minute; 2 * 0.6 / 60 would be less
    assert few.machines == 1  # 11.25 of 14 GiB, 3 of 4 cores
    many = needs(200, STUDENT)
    assert (many.memory, many.cores, many.machines) == (75, 20, 6)  # 75 / 14 machines for memory, 20 / 4 for cores
    assert needs(200, STUDENT, MACHINE._replace(cores=2)).machines == 10


def test_work_counts_where_it_is_more_than_the_start():
    assert needs(30, STUDENT._replace(work=6)).cores == 6
    assert needs(30, STUDENT._replace(start=6.1)).share == 0.2  # rounded up to tenths


def test_the_table_of_the_guide_and_the_values_are_these_sizes():
    guide = (HUB / "README.md").read_text("utf-8")
    assert all("\n".join(table([30, 200], student)) in guide for student in (MEASURED, WRITING))
    writing = needs(30, WRITING)
    assert f"memory.guarantee={writing.guarantee}M" in guide
    sizes = needs(30, MEASURED)
    student = yaml.safe_load((HUB / "values.yaml").read_text("utf-8"))["singleuser"]
    assert student["memory"] == {"guarantee": f"{sizes.guarantee}M", "limit": f"{sizes.limit}M"}
    assert student["cpu"]["guarantee"] == sizes.share
    assert f"limits.memory {sizes.limit}M\n" in (HUB / "README.md").read_text("utf-8")


def test_one_machine_and_a_cluster_set_the_same_for_a_student():
    values = yaml.safe_load((HUB / "values.yaml").read_text("utf-8"))
    c = SimpleNamespace(Spawner=SimpleNamespace())
    exec((HUB / "tljh.py").read_text("utf-8"), {"get_config": lambda: c})
    assert c.Spawner.environment == values["singleuser"]["extraEnv"]
    assert c.Spawner.default_url == values["singleuser"]["defaultUrl"]
