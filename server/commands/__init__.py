"""One module a subcommand of inlane-server: add_arguments(parser) and run(arguments) -> exit status."""
