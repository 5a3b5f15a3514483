"""Settings for The Littlest JupyterHub: copy this file to /opt/tljh/config/jupyterhub_config.d/."""

c = get_config()  # noqa: F821  JupyterHub puts it there
c.Spawner.cmd = ["/opt/attention-course/deploy/start.sh", "jupyterhub-singleuser"]
c.Spawner.default_url = "/lab/tree/attention-course/00_start_here.ipynb"
c.Spawner.environment = {"OMP_NUM_THREADS": "1", "MALLOC_TRIM_THRESHOLD_": "131072"}  # values.yaml says what for
