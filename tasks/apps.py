"""The one Django app: annotation tasks, from item to release."""

from django.apps import AppConfig
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db.models.signals import post_migrate, pre_migrate
from django.utils.translation import gettext_lazy as _

from tomahto.endpoint.chat import configure_endpoints
from tomahto.matching.registry import configure_aliases
from tomahto.matching.trainable import configure_weights
from tomahto.outgoing.configuration import configure_outgoing
from tomahto.outgoing.destination import AllowListError
from tomahto.pretrained.files import configure_models


class TasksConfig(AppConfig):
    name = "tasks"
    verbose_name = _("Annotation tasks")

    def ready(self) -> None:
        # models can only be imported once the apps are loaded
        from tasks.models.guards import install_guards, remove_fitting_guards
        from tasks.models.rating import store_outcomes
        from tasks.models.summary_triggers import install_triggers, make_words, remove_triggers

        configure_models(settings.MODELS)
        configure_aliases(settings.ALIASES_FILE)
        configure_weights(settings.WEIGHTS_DIR)
        try:
            configure_outgoing(settings.OUTGOING_ALLOWED)
        except AllowListError as error:
            raise ImproperlyConfigured(f"TOMAHTO_OUTGOING_ALLOWED: {error}") from error
        configure_endpoints(keys=settings.API_KEYS, cache_folder=settings.ENDPOINT_CACHE)
        if settings.ANSWERERS_FILE:
            # few sites have one, and few commands need answerers, which take long to load
            from tomahto.answerers.registry import AnswerersFileError, configure_answerers

            try:
                configure_answerers(settings.ANSWERERS_FILE)
            except AnswerersFileError as error:
                raise ImproperlyConfigured(str(error)) from None
        pre_migrate.connect(remove_fitting_guards, sender=self)
        pre_migrate.connect(remove_triggers, sender=self)
        # in this order: the guard knows what may be stored
        post_migrate.connect(install_guards, sender=self)
        post_migrate.connect(store_outcomes, sender=self)
        post_migrate.connect(make_words, sender=self)
        post_migrate.connect(install_triggers, sender=self)
