"""How `make lab` sets up Jupyter's server: kernel messages go out at once.

Left alone, the server waits up to 40 ms for more to send before it sends a small message (Nagle's algorithm), and a
view whose slider asks the kernel waits with it.
"""

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection


class Prompt(ZMQChannelsWebsocketConnection):
    """The server's own connection to a kernel, without the wait."""

    def connect(self):
        self.websocket_handler.set_nodelay(True)
        return super().connect()


get_config().ServerApp.kernel_websocket_connection_class = Prompt  # noqa: F821  Jupyter puts get_config there
