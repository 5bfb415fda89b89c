"""Creates a company's books in a new Tryton database: chart of accounts, fiscal year, tax, parties, payment methods.
Then becomes the server, because a separate one would load all of Tryton and the database again, which takes seconds.

Called with the server's configuration file, the database's name, and the file for the ids that invoices need, as JSON.
"""
import datetime
import json
import os
import sys
from decimal import Decimal

from proteus import Model, config

_, settings, database, ids = sys.argv
# Needed by Tryton's own test helpers.
os.environ.setdefault('DB_NAME', database)
config.set_trytond(database=database, config_file=settings)

from trytond.modules.account.tests.tools import (  # noqa: E402
    create_chart, create_fiscalyear, create_tax, get_accounts)
from trytond.modules.account_invoice.tests.tools import (  # noqa: E402
    set_fiscalyear_invoice_sequences)
from trytond.modules.company.tests.tools import (  # noqa: E402
    create_company, get_company)

create_company()
company = get_company()
company.cancel_invoice_out = True
company.save()
fiscalyear = set_fiscalyear_invoice_sequences(create_fiscalyear(company))
fiscalyear.click('create_period')
create_chart(company)
accounts = get_accounts(company)
tax = create_tax(Decimal('.20'))
tax.save()

PaymentTerm = Model.get('account.invoice.payment_term')
whole = PaymentTerm(name='30 days')
line = whole.lines.new(type='remainder')
line.relativedeltas.new(days=30)
whole.save()
halves = PaymentTerm(name='Two halves')
line = halves.lines.new(type='percent', ratio=Decimal('.5'))
line.relativedeltas.new(days=30)
line = halves.lines.new(type='remainder')
line.relativedeltas.new(days=60)
halves.save()

Journal = Model.get('account.journal')
cash, = Journal.find([('type', '=', 'cash')])
revenue, = Journal.find([('type', '=', 'revenue')])
PaymentMethod = Model.get('account.invoice.payment.method')
method = PaymentMethod(
    name='Bank', journal=cash,
    credit_account=accounts['cash'], debit_account=accounts['cash'])
method.save()

Sequence = Model.get('ir.sequence')
WriteOff = Model.get('account.move.reconcile.write_off')
sequence, = Sequence.find(
    [('sequence_type.name', '=', "Account Journal")], limit=1)
loss = Journal(name='Write-Off', type='write-off', sequence=sequence)
loss.save()
writeoff = WriteOff(
    name='Small differences', journal=loss,
    credit_account=accounts['revenue'], debit_account=accounts['expense'])
writeoff.save()

Party = Model.get('party.party')
Country = Model.get('country.country')
country = Country(name='United Kingdom', code='GB')
country.save()
parties = []
for name in ['Harbour Tea Ltd', 'Atelier Nord']:
    party = Party(name=name)
    address, = party.addresses
    address.street = '4 Quay Street'
    address.city = 'Bristol'
    address.country = country
    party.save()
    parties.append({'party': party.id, 'address': party.addresses[0].id})

made = json.dumps({
    'company': company.id,
    'currency': company.currency.id,
    'journal': revenue.id,
    'receivable': accounts['receivable'].id,
    'payable': accounts['payable'].id,
    'revenue': accounts['revenue'].id,
    'expense': accounts['expense'].id,
    'purchases': Journal.find([('type', '=', 'expense')])[0].id,
    'tax': tax.id,
    'whole': whole.id,
    'halves': halves.id,
    'method': method.id,
    'writeoff': writeoff.id,
    'today': datetime.date.today().isoformat(),
    'parties': parties})
# Renamed only when complete.
with open(ids + '.part', 'w') as file:
    file.write(made)
os.rename(ids + '.part', ids)

from trytond.config import config as settled, split_netloc  # noqa: E402
from trytond.wsgi import app  # noqa: E402
from werkzeug.serving import run_simple  # noqa: E402

host, port = split_netloc(settled.get('web', 'listen'))
run_simple(host, port, app, threaded=True)
