"""Test that a student's server on a hub starts without loading the hub's database code, and loads it when asked for it.

The hub is a small fake, whose modules import each other as those of JupyterHub 5.5 do.
"""

import os
import subprocess
import sys

import pytest
from nb.files import COURSE

SCRIPT = COURSE / "deploy" / "hub" / "singleuser.py"
MODULES = {
    "sqlalchemy/__init__.py": "import heavy\ndef inspect(thing): return f'inspected {thing}'",
    "sqlalchemy/exc.py": "class SQLAlchemyError(Exception): pass\nclass Other(Exception): pass",
    "sqlalchemy/engine.py": "URL = 'a url'",
    "heavy.py": "",
    "jupyterhub/__init__.py": "",
    "jupyterhub/orm.py": "import heavy, sqlalchemy.exc\nclass User: pass",
    "jupyterhub/roles.py": "from . import orm, scopes\ndef all_roles(): return [orm.User.__name__]",
    "jupyterhub/scopes.py": """
import sqlalchemy as sa
from . import orm, roles
def inspected(): return sa.inspect(orm.User())""",
    "jupyterhub/handlers/__init__.py": "from . import pages",
    "jupyterhub/handlers/pages.py": "from .. import orm\nclass HealthCheckHandler: pass\nclass Login: pass",
    "jupyterhub/log.py": """
from .handlers.pages import HealthCheckHandler
def quiet(page): return isinstance(page, HealthCheckHandler)""",
    "jupyterhub/utils.py": "from sqlalchemy.exc import SQLAlchemyError\ndef caught(): return [SQLAlchemyError]",
}
START = """from jupyterhub import log, scopes, utils
assert not log.quiet(3) and utils.caught() and 'heavy' not in sys.modules
"""


@pytest.fixture
def started(tmp_path):
    """Return run(body), which starts a fake student's server whose `main` runs `body`, and returns what it prints.

    `main` imports first what a server imports, and prints its arguments last.
    """
    for name, text in MODULES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")

    def run(body):
        lines = "\n    ".join((START + body).split("\n"))
        main = f"import sys\ndef main():\n    {lines}\n    print(*sys.argv[1:])"
        (tmp_path / "jupyterhub" / "singleuser.py").write_text(main, "utf-8")
        command = [sys.executable, SCRIPT, "--port=1"]
        variables = os.environ | {"PYTHONPATH": str(tmp_path)}
        done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return run


def test_the_server_gets_its_arguments_and_no_database(started):
    assert started("") == "--port=1"


@pytest.mark.parametrize(
    "ask",
    [
        "assert scopes.inspected().startswith('inspected <jupyterhub.orm.User')",
        "assert scopes.roles.all_roles() == ['User']",
        "from jupyterhub.orm import User; from jupyterhub.handlers.pages import Login",
        "from jupyterhub.handlers import pages; pages.Login, pages.HealthCheckHandler()",
        "import sqlalchemy.engine; assert sqlalchemy.engine.URL == 'a url'",
        "from sqlalchemy.exc import Other; import sqlalchemy; sqlalchemy.inspect",
        "import sqlalchemy; sqlalchemy.mine = 3; assert sys.modules['sqlalchemy'].mine == 3",
    ],
)
def test_whoever_asks_for_more_gets_the_real_ones(started, ask):
    names = ("sqlalchemy", "sqlalchemy.exc", "jupyterhub.orm", "jupyterhub.handlers.pages")
    real = f"for name in {names}: assert getattr(sys.modules.get(name), '__file__', 'not there'), name"
    assert started(f"{ask}\nassert 'heavy' in sys.modules\n{real}") == "--port=1"
