"""What the campaign's settings were when a rating was given; not known of earlier ratings."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tasks", "0013_adjudication"),
    ]

    operations = [
        migrations.AddField(
            model_name="rating",
            name="suggestion_matcher",
            field=models.CharField(blank=True, db_default="", default="", max_length=80),
        ),
        migrations.AddField(
            model_name="rating",
            name="suggestion_policy",
            field=models.CharField(
                blank=True,
                choices=[
                    ("hidden", "Never shown"),
                    ("before", "Shown with the item"),
                    ("after", "Shown once the rater has answered"),
                    ("randomised", "Shown with the item for a random half"),
                ],
                db_default="",
                default="",
                max_length=20,
            ),
        ),
        migrations.AddConstraint(
            model_name="rating",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("suggestion_policy__in", ["", "hidden", "before", "after", "randomised"])
                ),
                name="suggestion_policy_of_rating_known",
            ),
        ),
    ]
