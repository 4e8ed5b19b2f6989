"""One module a subcommand of inlane-agent: add_arguments(parser) and run(arguments) -> exit status."""
