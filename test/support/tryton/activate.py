"""Activates modules in an empty Tryton database, as trytond-admin does with the same arguments.

What comes with Tryton is not validated record by record, which would take a third of the time.
"""
from trytond import commandline
from trytond.config import config

options = commandline.get_parser_admin().parse_args()
config.update_etc(options.configfile)
commandline.config_log(options)

# Imported once it is configured.
from trytond import admin  # noqa: E402
from trytond.model import ModelStorage  # noqa: E402

ModelStorage._validate = classmethod(lambda cls, records, field_names=None: None)
admin.run(options)
