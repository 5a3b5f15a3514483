"""An extension of Jupyter's server that sends kernel messages without delay.

By default, the server waits up to 40 ms for more data before it sends a small message (Nagle's algorithm), which delays
every view whose slider asks the kernel.
"""

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection


class Prompt(ZMQChannelsWebsocketConnection):
    """The server's own connection to a kernel, with Nagle's algorithm turned off."""

    def connect(self):
        self.websocket_handler.set_nodelay(True)
        return super().connect()


# Jupyter's server looks these two up by name, since etc/jupyter/jupyter_server_config.d/ lists this module.
def _jupyter_server_extension_points():
    return [{"module": __name__}]


def _load_jupyter_server_extension(server):
    """Make the server use Prompt; leave a connection of another class, such as one to a gateway, as it is."""
    settings, name = server.web_app.settings, "kernel_websocket_connection_class"
    if settings[name] is ZMQChannelsWebsocketConnection:
        settings[name] = Prompt
