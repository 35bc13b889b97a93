"""Members, invitations, visitors of crowd services, consent."""
