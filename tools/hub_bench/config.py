"""The bench's JupyterHub configuration: as on a real hub, but on 127.0.0.1 and in a temporary folder."""

import json
import os
import sys
from pathlib import Path

from hub_bench.server import COURSE, FOLDER, SETTINGS

c = get_config()  # noqa: F821  JupyterHub defines it, and the next one
load_subconfig(str(COURSE / "deploy" / "hub" / "tljh.py"))  # noqa: F821
folder = Path(os.environ[FOLDER])
settings = json.loads((folder / SETTINGS).read_text())
public, hub, proxy = (f"http://127.0.0.1:{port}" for port in settings["ports"])

c.JupyterHub.bind_url = public
c.JupyterHub.hub_bind_url = hub
c.JupyterHub.log_level = "WARN"
c.ConfigurableHTTPProxy.api_url = proxy
c.ConfigurableHTTPProxy.command = [settings["proxy"]]

c.JupyterHub.authenticator_class = "dummy"  # with a password, so that other users of this machine cannot sign in
c.DummyAuthenticator.password = settings["password"]
c.Authenticator.allow_all = True

c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = f"{folder}/homes/{{username}}"
c.Spawner.cmd = [str(COURSE / "deploy" / "start.sh"), "jupyterhub-singleuser"]
c.Spawner.env_keep = ["PATH", "LANG", "LC_ALL"]
c.Spawner.args = ["--allow-root"] if os.geteuid() == 0 else []
c.Spawner.environment |= {"PYTHON": sys.executable, FOLDER: str(folder)}
c.Spawner.start_timeout = c.Spawner.http_timeout = 600
