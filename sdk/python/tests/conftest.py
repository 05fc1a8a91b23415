pytest_plugins = ["auth_service.testing.plugin"]
