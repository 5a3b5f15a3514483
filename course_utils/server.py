"""An extension of Jupyter's server that sends kernel messages without delay, and finds the course's style sheet.

By default, the server waits up to 40 ms for more data before it sends a small message (Nagle's algorithm), which delays
every view whose slider asks the kernel. And it looks for JupyterLab's custom.css in the reader's own folder alone.
"""

from pathlib import Path

from jupyter_core.paths import jupyter_config_path
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection


class Prompt(ZMQChannelsWebsocketConnection):
    """The server's own connection to a kernel, with Nagle's algorithm turned off."""

    def connect(self):
        """Connect to the kernel as the server does, with Nagle's algorithm turned off; return its Future."""
        self.websocket_handler.set_nodelay(True)
        return super().connect()


# Jupyter's server looks these two up by name, since etc/jupyter/jupyter_server_config.d/ lists this module.
def _jupyter_server_extension_points():
    """Return [{"module": name of this module}], the list of the package's server extensions that Jupyter asks for."""
    return [{"module": __name__}]


def _load_jupyter_server_extension(server):
    """Make a Jupyter server (a ServerApp) connect to kernels with Prompt, and serve the course's custom.css.

    It changes settings of the server's web_app. A connection of another class than the server's default, such as one
    for a gateway, is left as it is, and a reader's own custom.css comes first.
    """
    settings, name = server.web_app.settings, "kernel_websocket_connection_class"
    if settings[name] is ZMQChannelsWebsocketConnection:
        settings[name] = Prompt
    settings["static_custom_path"] += [str(Path(folder) / "custom") for folder in jupyter_config_path()]
