from importlib.metadata import entry_points

# Where the package is installed, pytest has found the fixtures by its entry point.
is_installed = any(entry.name == "auth_service" for entry in entry_points(group="pytest11"))
pytest_plugins = [] if is_installed else ["auth_service.testing.plugin"]
