"""What Prometheus reads at /metrics: requests of this web server, jobs and ratings of the site."""
