"""Make assignments from the course's exercises, grade what students hand in, and write their tables and pages."""
