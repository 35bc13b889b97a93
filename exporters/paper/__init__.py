"""Tables and figures as papers print them: models without looks, and what renders them."""
