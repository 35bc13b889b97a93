"""Programs that use Tomahto from outside, over HTTP and the command line."""
