"""What Jupyter's server does for the course, wherever it runs: kernel messages go out at once.

Left alone, the server waits up to 40 ms for more to send before it sends a small message (Nagle's algorithm), and a
view whose slider asks the kernel waits with it.
"""

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection


class Prompt(ZMQChannelsWebsocketConnection):
    """The server's own connection to a kernel, without the wait."""

    def connect(self):
        self.websocket_handler.set_nodelay(True)
        return super().connect()


# Jupyter's server calls these by their names, since etc/jupyter/jupyter_server_config.d/ names this module.
def _jupyter_server_extension_points():
    return [{"module": __name__}]


def _load_jupyter_server_extension(server):
    """A connection of another kind, as to a gateway, is left as it is."""
    settings, name = server.web_app.settings, "kernel_websocket_connection_class"
    if settings[name] is ZMQChannelsWebsocketConnection:
        settings[name] = Prompt
