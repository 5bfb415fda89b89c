/** Faults: files, reading and what is exported. */
import { type FaultRow, row } from "../../support/FaultRow.ts"

export const FILES: ReadonlyArray<FaultRow> = [
  row("invoices whose amounts are below zero, all of them", [
    "sync/setup/DeadEnds.test.ts",
    "of nothing but amounts below zero is asked what it is, and never turned unasked"
  ]),
  row("a list whose days of payment are before its days of issue", [
    "sync/setup/DeadEnds.test.ts",
    "that is due before it was issued is asked which day is which"
  ]),
  row("more applied of a payment than was paid", [
    "sync/setup/Doubts.test.ts",
    "is asked about: its rows are wrong, or the column is something else"
  ]),
  row(
    "a statement whose rows of balances and turnover stand among its movements, with codes beside their words",
    ["connectors/files/balanceLines.test.ts", "is told by its words"],
    ["connectors/files/balanceLines.test.ts", "is not one that says more"]
  ),
  row("a statement without signs whose balance rises", [
    "sync/setup/Doubts.test.ts",
    "is asked about though its balance rises: of the oldest amount that tells nothing"
  ]),
  row("an account in the seller's own books, whose debit is what came in", [
    "sync/setup/Doubts.test.ts",
    "say by their vouchers that their debit is what came in"
  ]),
  row("an amount before tax beside the same with tax", [
    "sync/setup/Doubts.test.ts",
    "with tax is taken where one before it has the same heading, and none of a single piece: MYOB's item sales"
  ]),
  row("a journal in place of a list: both sides of each posting", [
    "sync/setup/Doubts.test.ts",
    "is asked about: a journal {name} has both sides of each posting"
  ]),
  row("a list of what the seller owes, in place of what is owed to them", [
    "sync/setup/Doubts.test.ts",
    "is asked about: {supplier} is whom the seller owes"
  ]),
  row("invoices of which the buyer withholds a part", [
    "sync/setup/Doubts.test.ts",
    "is asked about, and lowers what is owed or does not"
  ]),
  row("a statement whose signs say the opposite of its column of debit and credit", [
    "sync/setup/Doubts.test.ts",
    "are turned, where they do in every row"
  ]),
  row("an export whose headings are those of a preset, written otherwise", [
    "sync/setup/Presets.test.ts",
    "mean the same {how}: {name}"
  ]),
  row("a list whose customers have a number under a known heading and a name under an unknown one", [
    "sync/setup/UnknownHeadings.test.ts",
    "is asked for the customer's name, and not called by"
  ]),
  row("a list with amounts before and after tax, under headings that no program has", [
    "sync/setup/UnknownHeadings.test.ts",
    "are the gross amount where they say that the tax is in it"
  ]),
  row("rows without a currency beside rows with one", [
    "sync/setup/UnknownHeadings.test.ts",
    "ask for the currency of rows that have none"
  ]),
  row("a processor's list of sales, fees and returns", [
    "sync/setup/Statements.test.ts",
    "names invoices in a column of any heading, has sales as payments"
  ]),
  row("one column of amounts under a heading that nobody knows, which may be what is open or was paid", [
    "sync/setup/FreeColumns.test.ts",
    "is asked about, with no answer of its own"
  ]),
  row(
    "a column that said nothing when it was set up, and later says what was paid or is open",
    ["sync/setup/FreeColumns.test.ts", "holds a row back that says otherwise"],
    ["sync/setup/FreeColumns.test.ts", "holds a row back whose whole amount is not there any more"],
    ["sync/setup/FreeColumns.test.ts", "is read later where its heading is known"]
  ),
  row(
    "days under a heading that nobody knows, where nothing says when invoices are due or were paid",
    ["sync/setup/FreeColumns.test.ts", "may be when an invoice is due"],
    ["sync/setup/FreeColumns.test.ts", "may be when it was paid, in some rows or in all"]
  ),
  row(
    "a column of a later export that is known to change what amounts mean",
    [
      "connectors/files/laterColumns.test.ts",
      "has a column that was not there before, of which it is known what it changes"
    ],
    ["cli/LaterColumns.long.test.ts", "stops whatever would send of its file"]
  ),
  row(
    "a rate of tax that is taken for an amount of tax: as a share like 0.19, with its sign, as a format of a workbook",
    ["sync/setup/TaxRates.test.ts", "is added to the net amount: "],
    ["sync/setup/TaxRates.test.ts", "is read as a workbook shows it"]
  ),
  row(
    "a ledger as a table: a number of each row beside the invoice's, two accounts in each posting",
    ["sync/setup/Ledgers.test.ts", "has the number that payments have as well"],
    ["sync/setup/Ledgers.test.ts", "is asked what it is, and is no statement of an account"]
  ),
  row("a day of payment in a row of which nothing is paid", [
    "sync/setup/PaidDays.test.ts",
    "contradicts that nothing is paid: "
  ]),
  row("a bank's statement, or another program's file, under the name of a table", [
    "sync/setup/BankNames.test.ts",
    "says what it is: "
  ]),
  row("an entrance that passes over what another one names", [
    "connect/Entrances.long.test.ts",
    "is the same through every entrance: "
  ]),
  row(
    "a column that an export had and a later one has not, or has under another name",
    ["connectors/files/laterColumns.test.ts", "has lost a column: said of the export that has not got it"],
    ["connectors/files/laterColumns.test.ts", "has not got a column that is watched"],
    ["cli/LaterColumns.long.test.ts", "is named by preview and doctor before anything is pulled"]
  ),
  row(
    "marks of yes and no that say what is paid or cancelled, under any heading",
    ["sync/setup/Contradictions.test.ts", "says what is paid"],
    ["sync/setup/Contradictions.test.ts", "is asked about where nobody knows its heading"]
  ),
  row(
    "a row that contradicts itself: paid with a balance, a net amount without its gross, a cell of two currencies",
    ["sync/setup/Contradictions.test.ts", "holds its row back, and the others of that state are paid"],
    ["sync/setup/Contradictions.test.ts", "waits, and its net amount is not taken for it"],
    ["sync/setup/Contradictions.test.ts", "a cell of two currencies"]
  ),
  row("what is left of an amount, beside net and tax, under a heading of the whole", [
    "sync/setup/Contradictions.test.ts",
    "is what is open, and not the whole amount"
  ]),
  row(
    "another export of a list that comes into a folder under any name",
    ["cli/CopiesOfLists.long.test.ts", "is the newer one by its contents"],
    ["cli/CopiesOfLists.long.test.ts", "is the older one by its contents"]
  ),
  row(
    "a choice that takes an invoice from the payment that had paid it, made without being seen",
    ["cli/ChoiceShown.long.test.ts", "is shown first by the command"],
    ["cli/ChoiceShown.long.test.ts", "is shown first by the library"],
    ["cli/ChoiceShown.long.test.ts", "is shown first by the HTTP interface, and by the page"]
  ),
  row("columns of what was paid and what is open, under headings that no program has", [
    "sync/setup/UnknownHeadings.test.ts",
    "is asked of two columns of unknown headings that come to the amount"
  ]),
  row("a state that says what became of a debt: failed, written off, refunded", [
    "sync/setup/UnknownHeadings.test.ts",
    "says nothing of what became of a debt: {state} is asked about"
  ]),
  row("amounts of the seller's own currency beside the invoice's, under unknown headings", [
    "sync/setup/UnknownHeadings.test.ts",
    "is asked in the currency of the row"
  ]),
  row("a payment of several invoices of which not all was applied", [
    "sync/setup/Statements.test.ts",
    "leaves the rest of it for no invoice yet, wherever its rows stand"
  ]),
  row("half-written file", ["connectors/files/trouble.test.ts", "loses its last row only, which is asked after"]),
  row(
    "a file that is not whole: entries, totals, parts or tags are missing",
    [
      "connectors/ledger/fec.test.ts",
      "says that numbers of entries are missing, over all journals or within each, and that an account is odd"
    ],
    [
      "connectors/files/statements.test.ts",
      "says so: no account, no balance, or a returned debit that is not its parts"
    ],
    ["connectors/files/failedDebits.test.ts", "that lost its accounts, or has one twice, is said to be"],
    [
      "connectors/files/statements.test.ts",
      "is held against what it says of itself: totals of accounts, groups and the file, and how many there are"
    ],
    [
      "connectors/files/statements.test.ts",
      "goes on from the balance of the one before, wherever that ends, or says that it does not"
    ]
  ),
  row("an e-invoice whose sums or currencies contradict each other", [
    "connectors/einvoice/rules.test.ts",
    "have to agree: net, tax and total, in the document's currency"
  ]),
  row(
    "several e-invoices in one file, several customers in one entry of a ledger",
    [
      "connectors/einvoice/rules.test.ts",
      "are all read where a file has several, and a credit note is one whatever its code is"
    ],
    ["connectors/ledger/fec.test.ts", "has an invoice for each customer of an entry that names no piece"]
  ),
  row(
    "a credit note of several invoices that does not say how much of each",
    ["sync/pull/SharedCredits.test.ts", "is split when the payment is known that it waited for"],
    ["connectors/einvoice/folder.test.ts", "reads a credit note of several invoices after these"]
  ),
  row("an invoice of which a part was paid before it was issued", [
    "connectors/einvoice/folder.test.ts",
    "is due by its terms where a part of it was paid before, and on the day of payment where all was"
  ]),
  row(
    "a ledger or statement that was damaged where it states no totals",
    ["connectors/ledger/damaged.test.ts", "reads no amount whose comma was lost"],
    ["connectors/ledger/damaged.test.ts", "says so: %s"],
    ["connectors/files/mt940Damage.test.ts", "gives back what was collected though it lost"],
    ["connectors/einvoice/italianTypes.test.ts", "that are of simplified ones are in no ordinary one"]
  ),
  row("archives and mails of invoices: damaged, encrypted, too deep, bombs", [
    "connectors/einvoice/folder.test.ts",
    "that is damaged, encrypted, too deep or a bomb is refused with a sentence, and others are read"
  ]),
  row("a rolling export beside an archive", [
    "sync/books/Parts.test.ts",
    "what one part loses and another still states stays"
  ]),
  row("two files that state one record differently", [
    "sync/books/Parts.test.ts",
    "two files that state an invoice differently"
  ]),
  row(
    "a row whose net amount and tax do not come to its total",
    [
      "sync/setup/DeadEnds.test.ts",
      "of %s is asked about: it waits unless somebody says otherwise, and never without a word"
    ],
    ["sync/setup/DeadEnds.test.ts", "of a later file of a preset is not read"]
  ),
  row("a file, or a record of one, that cannot be read, and nobody knows what to do", [
    "connectors/files/advice.test.ts",
    "says what to do, wherever it is made"
  ]),
  row("an amount before tax under a heading that does not say so", [
    "sync/setup/UnknownHeadings.test.ts",
    "is before tax where the tax is a rate of it"
  ]),
  row("invoices whose numbers begin anew in each file", [
    "sync/setup/UnknownHeadings.test.ts",
    "for other customers and on other days are asked about, and may be two"
  ]),
  row("numbers that begin anew in each file", [
    "sync/books/Parts.test.ts",
    "payments whose ids begin anew in each file are as many as there are"
  ]),
  row("an export that shows a window of time", ["sync/books/Parts.test.ts", "keeps what left it as the oldest"]),
  row("bank statements that overlap, without references", [
    "sync/books/SameEntries.long.test.ts",
    "has each entry once"
  ]),
  row(
    "a payment that names an invoice whose record cannot be read",
    ["sync/matching/Unreadable.test.ts", "is waited for by a payment that names it by {how}"],
    ["sync/matching/Unreadable.test.ts", "is heard of by payments that were read before"]
  ),
  row("a table's payment that names no invoice", ["sync/books/OwnLinks.test.ts", "that names {what}"]),
  row("a setting that would take back what was sent", [
    "sync/plan/SettingChanges.test.ts",
    "G11: stops a plan that takes something back, and no other"
  ]),
  row("renamed re-export", ["connectors/files/bookmark.long.test.ts", "a file under another name is another file"]),
  row("byte-order mark, encodings", [
    "connectors/files/dialects.test.ts",
    "is found: UTF-8 with and without a byte-order mark"
  ]),
  row("decimal comma", ["connectors/files/amounts.test.ts", "has a decimal point, or a comma"]),
  row("1904 workbook", ["connectors/files/workbook.test.ts", "is the same in the 1904 system"]),
  row("duplicate rows", [
    "connectors/files/repeats.test.ts",
    "that differ: the first is read, the second is quarantined"
  ]),
  row(
    "formula injection in what is exported",
    ["export/Csv.test.ts", "put an apostrophe before text that a spreadsheet would run"],
    ["export/Csv.test.ts", "have no cell that begins like a formula, whatever separates cells"],
    ["export/Workbook.test.ts", "that looks like a formula is text, and no cell is a formula"]
  ),
  row("more rows than a sheet can have", ["export/Rows.long.test.ts", "has 1,048,576 rows in a sheet"]),
  row(
    "a workbook that unpacks to gigabytes",
    ["connectors/files/workbook.test.ts", "is refused by what really comes out"],
    ["connectors/files/workbook.test.ts", "is refused by what its directory says"]
  ),
  row("a bank's line that is not booked yet, under a heading that no program calls a state", [
    "sync/setup/Statements.test.ts",
    "is not received, where "
  ]),
  row("an invoice number in the second or the fourteenth text of a statement", [
    "sync/setup/Statements.test.ts",
    "an invoice is looked for in every text of a statement"
  ]),
  row("a payment of which a part is for no invoice", [
    "sync/setup/Statements.test.ts",
    "is not for the invoice of its row"
  ]),
  row("balances that do not follow from the amounts, before anything is written", [
    "sync/setup/Statements.test.ts",
    "that do not follow from the amounts are asked about"
  ]),
  row("an invoice whose state says only that it was not sent", ["sync/setup/Statements.test.ts", "is asked about: "]),
  row(
    "a report of several tables in one file: expenses below the invoices",
    ["connectors/files/layout.test.ts", "ends where other headings begin"],
    ["connectors/files/layout.test.ts", "may have its own headings on each page"]
  ),
  row("a heading whose cells say something else: a day under terms, an amount under a day, a state of an address", [
    "sync/setup/UnknownHeadings.test.ts",
    "means what its cells are: days are due dates"
  ]),
  row("states under a heading that is none of states", [
    "sync/setup/UnknownHeadings.test.ts",
    "is read as that, and what it does not say is asked"
  ]),
  row(
    "dates of one sheet written in several ways",
    ["sync/setup/UnknownHeadings.test.ts", "may be written in several ways"],
    ["connectors/files/dates.test.ts", "may have dates in further ways, which are named"]
  )
]
