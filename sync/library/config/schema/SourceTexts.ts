/**
 * Describes the settings of sources: of tables for all connectors that read them, of single connectors, and those that many
 * connectors have. A third-party connector describes its own settings with `.annotateKey({ description: "..." })`.
 */
export const TABLE_TEXTS: Readonly<Record<string, string>> = {
  path: "A file, a folder or a glob, relative to the configuration's folder.",
  query: "The query that returns these rows.",
  separator: "The separator of cells; by default detected from the header line.",
  encoding: "The encoding; by default detected from the bytes.",
  sheet: "The workbook's sheet; default the first one.",
  header_row: "The line that names the columns, counted from 1; lines above it are skipped.",
  window:
    "true: its oldest records leave it as new ones come, and stay. false: what left was deleted. Learnt by default.",
  files: '"newest": each file is a complete export, and only the one with the latest date in its name is read.',
  unpacked_limit: "The largest size of an unpacked workbook, in megabytes; default 2048.",
  format: "The format of a bank's files; by default detected from how each begins.",
  accounts: "The accounts of a bank's files that are read; default: all.",
  rejects:
    "For pain.002: a refused direct debit is a reversal, because the books count it as paid once it is handed in; default: a notice.",
  where: 'Which rows are read: { "Type": "SI" }. Default: all.',
  "where.not": "None of these texts.",
  "where.starts": "The cell begins with this, or with one of these.",
  "where.contains": "The cell has this in it, or one of these.",
  "where.empty": "Whether the cell is empty.",
  "where.sign": "The sign of the amount: positive, negative or zero.",
  other_tables: "leave_out: what stands under other headings below the rows is not read on purpose.",
  fill_down: "Columns that are filled once for several rows: an empty cell has the value of the row above.",
  lines:
    "Consecutive rows with the same id: sum, they are lines of one document; same, each repeats the whole document.",
  "lines.sum": "The fields whose amounts are added up.",
  other_date_formats: "Further formats that some dates have: a sheet that several people keep.",
  date_format: "The format of dates: yyyy-MM-dd by default; yyyy yy MM M MMM dd d and any separators.",
  language: "ISO 639-1, like de: names of months and countries are read in it, and in English.",
  time_zone: "The seller's time zone, like Europe/Berlin: times with a time zone are converted to a day there.",
  year: "For dates without a year: the year, or the line and cell of the file that contain it.",
  "year.line": "The line that contains the year, counted from 1.",
  "year.cell": "The cell of that line, counted from 1.",
  decimal: "The decimal sign; by default detected from the values.",
  null_values: 'Texts that mean an empty cell, like ["N/A"].',
  currency: "ISO 4217, for tables without a column for it.",
  terms_days:
    "Days from issue until due, for invoices without a due date; or the days for each text of the terms column.",
  negative: "credit_note: a row with a negative amount is a credit note for the invoice in credits.",
  statuses:
    "Maps values of the status column: of invoices to draft, open, paid or void; of orders to open, closed or cancelled.",
  countries: "Maps values of the country column to countries of ISO 3166-1.",
  unused:
    "Columns that no field uses, by what all of their cells said when that was decided: empty, zero, or whole (the row's whole amount). A row in which one says something else is held back.",
  unknown_country:
    "What happens to an invoice with an unknown country: leave out the country, or quarantine the invoice.",
  customer_country: "The country of every customer for whom no column has one.",
  metadata: "Further columns to send, under the names given here.",
  methods: "Maps values of the method column to bank, card, cash or unknown.",
  types:
    "Maps values of the type column: of reversals to chargeback, refund, error, other or unknown (settlement: money received); of lines to product, shipping, fee or discount.",
  cursor:
    "The column that increases with every change: a time, or an integer. Without one every pull reads the whole query.",
  overlap:
    "How far before the end of the last pull each pull begins: in seconds, or for an integer cursor in its units.",
  deleted: "The column that marks a row as deleted, with any value other than empty, 0 and false.",
  columns: "Maps columns: Daybook's names on the left, your headings on the right.",
  "columns.id": 'The source\'s id: a heading, several, or { "content": [...] } if there is none.',
  "columns.number": "The number that people use, if it differs from the id.",
  "columns.customer": "The buyer's name; for a payment, the payer's.",
  "columns.customer_id": "The source's id of the buyer.",
  "columns.customer_country": "The buyer's country.",
  "columns.customer_regnum": "The buyer's registration number.",
  "columns.customer_vat": "The buyer's VAT number.",
  "columns.customer_address": "The buyer's address.",
  "columns.customer_company": "The service's own identifier of the buyer's company.",
  "columns.issued": "The day of issue.",
  "columns.due": "The day on which it is due.",
  "columns.terms": "The days from issue on, as a number or a text with one number in it, like Net 30.",
  "columns.net": "The amount without tax: a heading, several that are added up, or plus and minus.",
  "columns.tax_amount": "The tax: a row of which net and tax do not come to gross is not read.",
  "columns.gross": "The amount with tax: a heading, several that are added up, or plus and minus.",
  "columns.amount": 'The amount; negative when money went back. Or { "credit": ..., "debit": ... }.',
  "columns.currency": "The ISO 4217 code of the row.",
  "columns.status": "The state, mapped by statuses.",
  "columns.settled": "The day on which the invoice was paid in full; stands in for payments.",
  "columns.method": "How it was paid, mapped by methods.",
  "columns.balance":
    "The open amount according to the table itself; in a bank statement the running balance. Compared with what was read.",
  "columns.paid": "The paid amount according to the table itself.",
  "columns.credited": "The credited amount according to the table itself.",
  "columns.credits": "For a negative row: the invoice that it lowers.",
  "columns.invoice": "The id or number of the invoice.",
  "columns.date": "The day.",
  "columns.type": "For returned money, the kind of return, mapped by types; for a line, its kind.",
  "columns.provider_code": "The bank's or processor's reason code for the return.",
  "columns.details": "More about it.",
  "columns.payment": "The id of the payment that is reversed.",
  "columns.reference": "The payer's reference text, which is searched for invoice numbers.",
  "columns.placed": "The day on which the order was placed.",
  "columns.line": "The line of the order.",
  "columns.quantity": "How many.",
  "columns.description": "What the line is.",
  "columns.order": "The id of the order.",
  "columns.deferred_payment": "The service's identifier of the deferred payment.",
  "columns.service_order": "The service's identifier of the order.",
  "columns.shipped": "What was shipped of the order in total.",
  "columns.cancelled": "What was cancelled of the order in total.",
  "columns.refunded": "What was refunded of the order in total.",
  "columns.plus": "Columns that are added up.",
  "columns.minus": "Columns that are subtracted.",
  "columns.negative": "In rows that meet this condition, the sign of the amount is reversed.",
  "columns.credit": "The column of money that came in.",
  "columns.debit": "The column of money that went out.",
  "columns.content": "The id is derived from these cells.",
  "columns.buyer": "The buyer's name.",
  "columns.buyer_id": "The source's id of the buyer.",
  "columns.email": "The buyer's email.",
  "columns.contact": "The person who orders.",
  "columns.phone": "The buyer's telephone number.",
  "columns.buyer_company": "The service's identifier of the buyer's company.",
  "columns.buyer_regnum": "The registration number of the buyer's company.",
  "columns.buyer_vat": "The buyer's VAT number.",
  "columns.buyer_address": "The buyer's address.",
  "columns.buyer_country": "The buyer's country.",
  "columns.buyer_since": "Since when the buyer is a customer.",
  "columns.sku": "The line's article number.",
  "columns.category": "The line's category.",
  "columns.tax": "The line's tax: a percentage, or a name that tax_rates maps.",
  "columns.supplier": "The line's supplier.",
  "columns.supplier_id": "The source's id of the line's supplier.",
  ...Object.fromEntries(
    [
      ["delivery", "delivery"],
      ["invoicing", "invoice"]
    ].flatMap(([name, what]) =>
      ["name", "line1", "line2", "city", "postcode", "country"].map((part) => [
        `columns.${name}_${part}`,
        `${part} of the ${what} address.`
      ])
    )
  )
}

export const STREAM_TEXTS: Readonly<Record<string, string>> = {
  invoices: "Invoices.",
  payments: "Payments and reversals.",
  credit_notes: "Credit notes.",
  orders: "Orders: each row is a line.",
  fulfilments: "Parcels: each row is a line.",
  cancellations: "Cancellations: each row is a line.",
  returns: "Returns: each row is a line."
}

/** By connector and setting; `*` stands for every connector. */
export const SOURCE_TEXTS: Readonly<Record<string, string>> = {
  "*.env": "The environment variable that holds it. Secrets are never in the file.",
  "*.url": "Another address than the source's own: a proxy, a test server.",
  "*.key": "The key; a read-only key is enough.",
  "*.secret": "The secret of the key.",
  "*.token": "The access token.",
  "*.password": "The password.",
  "*.client_id": "The id of your app at the source.",
  "*.client_secret": "The secret of your app at the source.",
  "*.refresh_token": "The refresh token of the first authorisation; later ones are stored in the vault.",
  "*.environment": "Whether the source's live environment or its sandbox is read.",
  "*.invoice": "The field in which a payment names its invoice; default metadata.invoice.",
  "*.account": "The account to read.",
  "*.currency": "The currency of records without one.",
  "*.since": "The first pull does not read what changed before this day.",
  "*.deferred_payment": "The field of orders with the service's identifier of their deferred payment.",
  "*.buyers": "Also reads buyers and addresses, for orders to be created on the service.",
  "*.buyers.company":
    "The field in which the checkout stores the service's identifier of the company; default company.",
  "*.company": "The id of the company to read.",
  "*.store": "The store to read, as the source names it.",
  "*.shop": "The shop to read, as the source names it.",
  "*.organisation": "The organisation to read, as the source names it.",
  "*.administration": "The administration to read, as the source names it.",
  "*.user": "The user name for reading.",
  "*.version": "The version of the source's interface.",
  "files.path": "A file, a folder or a glob, relative to the configuration's folder.",
  "shopify.shop": "my-shop of my-shop.myshopify.com.",
  "shopify.money": "presentment: the amounts shown to the buyer (default); shop: in the shop's own currency.",
  "shopify.deferred_payment.metafield": "namespace.key of a metafield.",
  "shopify.deferred_payment.attribute": "The name of an attribute; default deferred_payment.",
  "shopify.deferred_payment.tag": "The prefix of the tag, such as defpay-.",
  "mollie.profile":
    "The profile whose payments are read, pfl_..., with an organization access token: settlements are then read, too.",
  "sql.url": "The database's address, password included.",
  "sql.file": "A file of SQLite, relative to the configuration's folder.",
  "sql.timeout":
    'How long the database may send nothing while an answer is waited for; default "60 seconds". Rows that keep coming may take longer.',
  "sql.page": "Rows per page; default 500.",
  "stripe.account": "The connected account to read, acct_...",
  "tryton.url": "The server's address, without the database.",
  "tryton.database": "The database.",
  "tryton.user": "The user name for reading.",
  "tryton.company": "The company's id, if the user has several.",
  "woocommerce.url": "The shop's address, https://shop.example.",
  "woocommerce.key": "The consumer key; read permission is enough.",
  "woocommerce.secret": "The consumer secret.",
  "woocommerce.shipped": "Statuses in which everything has been shipped; default completed.",
  "woocommerce.statuses": "Maps the shop's own statuses to open, closed or cancelled.",
  "woocommerce.parcels": "The metadata field in which a plugin stores parcels.",
  "xero.tenant": "The organisation's id in Xero's list of connections.",
  "quickbooks.company": "The company's id (realm id): digits."
}

/** What a setting of a source means, where it is known. */
export const sourceText = (connector: string, name: string): string =>
  SOURCE_TEXTS[`${connector}.${name}`] ?? SOURCE_TEXTS[`*.${name}`] ?? ""
