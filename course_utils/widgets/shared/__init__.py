"""What every view stands on: the class View, how scripts are bundled, and parts of pages and pictures."""
