/** Faults: payments, amounts, currencies, people and other sites. */
import { type FaultRow, row } from "../../support/FaultRow.ts"

export const PARTIES: ReadonlyArray<FaultRow> = [
  row(
    "amount typed as in another country",
    ["page/Language.test.ts", "%s is not guessed"],
    ["page/Language.test.ts", "is never written into a field so that it cannot be read"]
  ),
  row("wrong tenant", ["faults/Machine.long.test.ts", "that is asked for another tenant's books says what to check"]),
  row(
    "sandbox and live mixed",
    ["cli/State.long.test.ts", "at another address is refused by plan, apply and sync"],
    ["sync/state/Account.test.ts", "refuses a key of another account, and keeps asking the first one"]
  ),
  row("partial payment", ["faults/Money.test.ts", "a part, then the rest: paid with the last of them"]),
  row("overpayment", ["faults/Money.test.ts", "more than was asked for is reported as it came, and settles"]),
  row("split payment; one payment over many invoices", [
    "faults/Money.test.ts",
    "one over many invoices is one on each"
  ]),
  row("payment moved to another invoice", ["faults/Money.test.ts", "moved to another invoice: back there, forth here"]),
  row("credit note applied and un-applied", [
    "faults/Money.test.ts",
    "applied they lower the invoice, un-applied they raise it"
  ]),
  row("refund after close", ["faults/Money.test.ts", "a refund after the invoice was closed is sent, and reported"]),
  row("debit failing after paid out", ["faults/Money.test.ts", "a debit that fails after it was paid out"]),
  row("chargeback then won", ["faults/Money.test.ts", "a chargeback, and then it is won"]),
  row("negative before its positive", ["faults/Money.test.ts", "before its payment is there it waits"]),
  row(
    "currencies of 0 and 3 decimals",
    ["faults/Money.test.ts", "in currencies of no and of three decimals are sent exactly"],
    ["faults/Money.test.ts", "finer than the service takes: refused with its own words"]
  ),
  row(
    "a connector that throws, dies or rejects",
    ["sync/pull/Ingest.test.ts", "that {name}: its connection fails, and says nothing secret"],
    ["cli/Defects.long.test.ts", "because it {name}: the others are read, sent and proven"]
  ),
  row(
    "an error that repeats secrets",
    ["security/Planted.long.test.ts", "are in no output of any command, nor in any file"],
    ["security/Planted.long.test.ts", "are in no log of the daemon, on no page of it"],
    ["security/Planted.long.test.ts", "are in no message about a configuration"]
  ),
  row(
    "the page says what was so, and is not any more",
    ["page/Outdated.test.ts", "says of the last run what it left only as long as it is left"],
    ["page/Outdated.test.ts", "counts refused calls until they were sent again"]
  ),
  row(
    "two people at one attention item",
    ["page/Second.long.test.ts", "keeps the first person's note"],
    ["page/Second.long.test.ts", "is reported to whoever comes second at the page, too"]
  ),
  row(
    "several items decided about at once, while something about them changes",
    ["sync/decisions/Together.test.ts", "are left alone if it would be something else by now"],
    ["sync/decisions/Together.test.ts", "are sent again with exactly the calls that were shown"],
    ["page/Queue.long.test.ts", "shows one cause for what has one cause, and closes exactly what was chosen"]
  ),
  row(
    "a part of a large plan approved that is not what was shown",
    [
      "page/Plans.long.test.ts",
      "is filtered, put in order and chosen from over several pages; all but the chosen are sent"
    ],
    ["page/Plans.long.test.ts", "is approved as far as a filter leaves it, and not at all once the books are others"],
    ["cli/ApprovedParts.test.ts", "is all but the documents that were chosen on the page"]
  ),
  row(
    "a wrong choice of an invoice",
    ["sync/matching/MatchChoices.test.ts", "M4: can be taken back: the rules match the payment again"],
    ["sync/matching/MatchChoices.test.ts", "that is taken back leaves what another choice says"],
    ["sync/matching/MatchLearnt.test.ts", "is added to its own name"],
    ["page/Workbench.long.test.ts", "shows what remains, and saves what was chosen and no more"]
  ),
  row(
    "a payment that the rules matched with the wrong invoice, which somebody notices after it was reported",
    ["sync/decisions/AskedAgain.test.ts", "is taken back from there, asked about, and stays"],
    ["sync/decisions/AskedAgain.test.ts", "is matched by the rules again where somebody takes that back"],
    ["sync/decisions/AskedAgain.test.ts", "is named where more came than the invoice asks for"]
  ),
  row(
    "a payment is taken from an invoice that stays marked as paid, because it was matched or chosen wrongly",
    ["sync/decisions/AskedAgain.test.ts", "is taken from what is marked as paid only by who knows"],
    ["sync/decisions/AskedAgain.test.ts", "is taken from what is marked as paid likewise where"]
  ),
  row("what went back has a trace, and its payment was read in a format that has none", [
    "sync/matching/Untraced.test.ts",
    "takes back the one that was read without traces"
  ]),
  row(
    "a payment that names an invoice which was issued after it came, beside an older one of its amount",
    ["sync/matching/IssuedLater.test.ts", "is a typing mistake where the payer owed exactly the amount by then"],
    ["sync/matching/IssuedLater.test.ts", "is paid in advance where the payer owed no such amount by then"]
  ),
  row(
    "a payment without a word beside another one of its payer that names the invoice of its amount and waits",
    ["sync/matching/Undesignated.test.ts", "are those that no other payment names"],
    ["sync/matching/Undesignated.test.ts", "are left to another of its payer and amount that waits"],
    ["sync/matching/Undesignated.test.ts", "are asked about where another payment names the only one"]
  ),
  row(
    "what books have late, which is the part of another payment, or would move one that is reported",
    ["sync/movements/Movements.test.ts", "are in doubt where what the books have late would move it"],
    [
      "sync/movements/Movements.test.ts",
      "are not one by the payer where another payment for several invoices has exactly"
    ]
  ),
  row(
    "a payment in another currency that a bank exchanged without a word",
    ["sync/matching/Exchanged.test.ts", "is what the books have of its payer at about the rate"],
    ["sync/matching/Exchanged.test.ts", "is so though the books have it later"],
    ["sync/matching/Exchanged.test.ts", "is asked about at another rate, weeks apart"]
  ),
  row("a sum in one format of a bank's statement beside its details in another", [
    "connectors/files/sums.test.ts",
    "is left to its details where another format has only the sum"
  ]),
  row(
    "a payment whose text names another customer's invoice",
    ["sync/matching/MatchPayers.test.ts", "gives way to the payer's own invoice of exactly the amount"],
    ["sync/matching/MatchPayers.test.ts", "is for a person where the payer has none"],
    ["sync/matching/MatchPayers.test.ts", "pays the whole of it, and a part only with a person"],
    ["sync/matching/MatchPayers.test.ts", "are no number of an invoice to a stranger"]
  ),
  row("a payment that names in short another invoice than the one for which the books have an equal payment", [
    "sync/matching/NamedInShort.test.ts",
    "is not what the books have of its payer and amount for another one"
  ]),
  row(
    "a payment that names, or names in short, an invoice which is paid or void or cannot be read, beside another one of its amount",
    ["sync/matching/NamedInShort.test.ts", "is none where the number is that of an invoice which is void"],
    ["sync/matching/NamedInShort.test.ts", "is none where the number is that of an invoice which is paid"],
    ["sync/movements/Movements.test.ts", "are not one where a debit had gone back weeks before the books' day"],
    ["sync/matching/MatchLimits.test.ts", "is not what a person says where only the id is there"]
  ),
  row(
    "a structured reference (OGM, RF, QRR, KID, OCR) in place of an invoice's number",
    [
      "sync/matching/MatchReferences.test.ts",
      "is, where its list states it as the invoice, or in a text with others' digits around it"
    ],
    ["sync/matching/MatchReferences.test.ts", "never takes money from an invoice of another customer than who pays"],
    ["sync/matching/MatchAsked.test.ts", "is no longer paid by one that it does not ask for any more, nor by any"],
    [
      "sync/matching/MatchAsked.test.ts",
      "shares one with another invoice: that is a customer's, and the other its own"
    ],
    ["sync/matching/MatchReferences.test.ts", "is a customer's: which invoice, the amount says, or a person"]
  ),
  row(
    "an invoice or a customer that changes after a payment was decided by it",
    [
      "sync/matching/MatchReferences.test.ts",
      "is decided again once no other invoice asks for exactly its amount any more"
    ],
    ["sync/matching/MatchReferences.test.ts", "is decided again once its payer's id is a customer's"]
  ),
  row(
    "a payer whose name the bank writes otherwise",
    ["sync/matching/MatchPayers.test.ts", "is the same however a bank writes it"],
    ["sync/matching/MatchPayers.test.ts", "that differs in its legal form is another company's"]
  ),
  row(
    "a payment that makes a reported one uncertain",
    ["sync/matching/MatchStanding.long.test.ts", "stays where it is when another one of its amount makes it uncertain"],
    ["sync/matching/MatchStanding.long.test.ts", "stays when a later one names its invoice"]
  ),
  row(
    "a reported payment whose text names another invoice of its customer, which comes later, or whose invoice gets another number",
    ["sync/matching/MatchStanding.long.test.ts", "is asked about once the invoice that its text names is there"],
    ["sync/matching/MatchStanding.long.test.ts", "counts on its invoice when that has another number"]
  ),
  row(
    "a payment for an invoice that the books do not have yet, or no longer have, while another invoice of its customer has the amount",
    ["sync/matching/MatchReferences.test.ts", "waits for it, whatever else has its amount"],
    ["sync/matching/MatchReferences.test.ts", "is for the invoice of its amount where its text may say so: {text}"],
    [
      "sync/matching/MatchReferences.test.ts",
      "is for {number}, which has its amount, where its text may say so: {text}"
    ],
    ["sync/matching/MatchLimits.test.ts", "is not replaced by others within the limits: {amount}"]
  ),
  row(
    "a payment that stood on a paid invoice while another list's were compared with it",
    [
      "sync/matching/SameMoney.long.test.ts",
      "has the payment of another list that paid another invoice, once that was taken back"
    ],
    [
      "sync/matching/SameMoney.long.test.ts",
      "has the payment of another list that paid another invoice, once that is void and gone"
    ]
  ),
  row("books that return on one invoice a payment that they have on another", [
    "sync/matching/SameMoney.long.test.ts",
    "is open by what went back of its own payment"
  ]),
  row("money that goes back of one of two debits that nothing tells apart, of which the books have one", [
    "sync/matching/LookAlikes.test.ts",
    "{returned}, {amount}: a person says {number}"
  ]),
  row(
    "a transfer for several invoices that the books have as several payments, or several transfers that they have as one",
    ["sync/matching/Booked.test.ts", "counts once: {what}, order {n + 1}"],
    ["sync/matching/Booked.test.ts", "of two such transfers, one is asked about"],
    ["sync/matching/Booked.test.ts", "is asked about where the books do not have all of it"]
  ),
  row(
    "a payment whose text names another customer's invoice, which the books have as paid by somebody else, or in its exact amount",
    [
      "sync/movements/Movements.test.ts",
      "of another customer's number are one by the payer, and never by that invoice alone"
    ]
  ),
  row(
    "a payment that the books enter weeks later on the invoice where it is reported, while another of its amount comes",
    ["sync/movements/Movements.test.ts", "are one that the books have late on its own invoice"],
    ["sync/movements/Limits.test.ts", "a list that says nothing of the invoice does not say that more was received"]
  ),
  row("a second payment for an invoice that is paid, which names it in short, while another of its amount is open", [
    "sync/matching/MatchReferences.test.ts",
    "names an invoice that is paid, and no other one of its amount instead"
  ]),
  row(
    "money of strangers, and what one answer about them says of what comes later",
    ["sync/matching/Strangers.test.ts", "is asked about as before where it names a number"],
    ["sync/matching/Strangers.test.ts", "is answered together, and for good of each payer"]
  ),
  row("a transfer for several invoices, of which a person says that one part is the same money as the books' payment", [
    "sync/matching/SameMoney.long.test.ts",
    "has its part of a payment for several, once a person says"
  ]),
  row("a payment without a number, of two invoices of its amount of which the source calls one paid and one open", [
    "sync/matching/LookAlikes.test.ts",
    "are a person's choice where a digit that may be typed wrong means the one that is open"
  ]),
  row("a debit that failed, of which the books have only the second try", [
    "sync/matching/LookAlikes.test.ts",
    "is not what the books have, whatever a person says of it: read {steps}"
  ]),
  row("a debit whose link is one invoice's id and another's number, where the books have it too", [
    "sync/matching/LookAlikes.test.ts",
    "goes by its customer, also where its own books have the payment: its {means}, the books {order}"
  ]),
  row(
    "an invoice whose currency, number or money changes after a payment was matched with it or asked about",
    ["sync/matching/MatchOrder.long.test.ts", "nothing stays on an invoice that is in another currency now"],
    ["sync/matching/MatchOrder.long.test.ts", "what is the same money is decided again when the invoice that it names"],
    ["sync/matching/MatchOrder.long.test.ts", "what is reported comes before what only names its invoice"]
  ),
  row("books that have a reported payment for another invoice than its text means", [
    "sync/matching/MatchOrder.long.test.ts",
    "what is reported on the invoice that its text means stays there"
  ]),
  row(
    "a paying connection that left the configuration before it was read to its end",
    ["sync/plan/RemovedPayer.test.ts", "holds nothing back if nothing of it was ever read"],
    ["sync/plan/RemovedPayer.test.ts", "holds back what it may have paid, if some of it was read"]
  ),
  row("more that goes back of a payment than it was", [
    "sync/matching/MatchOrder.long.test.ts",
    "no more is open again than a payment that its source links to the invoice was"
  ]),
  row("a lost state file with choices of people", [
    "sync/matching/MatchStanding.long.test.ts",
    "learns from the service which invoice a person chose"
  ]),
  row(
    "money on a bank account that is for no invoice",
    ["sync/matching/MatchLearnt.test.ts", "is settled, in a column of its own"],
    ["sync/matching/MatchLearnt.test.ts", "says nothing of a customer"],
    ["sync/matching/MatchLearnt.test.ts", "is asked about again once its payer is a customer"]
  ),
  row(
    "a chargeback at the bank of a payment that another list states, placed before or after it, and moved since",
    ["sync/matching/Followed.test.ts", "follows it {how}, as {list} before or after debits"],
    ["sync/matching/SameMoney.long.test.ts", "is open again by what went back, where the books moved the payment"]
  ),
  row(
    "a bank's line that a person places on an invoice of which the books have nearly all",
    [
      "sync/matching/SameMoney.long.test.ts",
      "has not what was left to pay of it besides, of a payment that the books have"
    ],
    ["sync/movements/Limits.test.ts", "what was left to pay of an invoice may be of the same money"]
  ),
  row("a name that is one invoice's id and another's number, and amount and balance point apart", [
    "sync/books/OwnLinks.test.ts",
    "that names {what}"
  ]),
  row("money that may be counted twice, on an invoice that was voided", [
    "sync/rules/PaymentsOfOthers.test.ts",
    "P1: is somebody's on an invoice that is void as well"
  ]),
  row(
    "fees, discounts and several invoices in one transfer",
    ["sync/matching/MatchPayers.test.ts", "that are not named are proposed"],
    ["sync/matching/MatchLimits.test.ts", "is taken up to its percentage and day"],
    ["sync/matching/MatchLimits.test.ts", "are up to as many as was written down"]
  ),
  row("a link that is one invoice's id and another's number", [
    "sync/matching/MatchLimits.test.ts",
    "means the one whose customer and open amount fit"
  ]),
  row(
    "other sites at the page's sign-in",
    ["page/Door.long.test.ts", "lets a person sign in while another site tries tokens and passwords"],
    ["page/Door.long.test.ts", "delays only those who send wrong passwords"],
    ["page/Door.long.test.ts", "rejects a cookie after its owner signed out"],
    ["page/Door.long.test.ts", "is rejected, and metrics need their token"],
    ["page/Door.long.test.ts", "that is malformed is answered with 400"]
  ),
  row(
    "ids that are equal once stored",
    ["sync/pull/Ingest.test.ts", "are never taken for each other: each has a key of its own"],
    ["sync/pull/Ingest.test.ts", "that end in half a character: 300 of 600 are quarantined"],
    ["sync/pull/Ingest.test.ts", "that became one key all the same show as a difference"]
  ),
  row("amounts finer than their currency", [
    "sync/pull/Ingest.test.ts",
    "are quarantined with their record, and nothing of them is cut off"
  ]),
  row(
    "facts of another currency than their invoice",
    ["sync/rules/Currencies.test.ts", "is not paid by yen: a payment in another currency is not reported"],
    ["sync/rules/Currencies.test.ts", "is not lowered by a credit note in yen"],
    ["sync/rules/Currencies.test.ts", "is left alone once payments were reported: nothing is sent"],
    ["sync/rules/Currencies.test.ts", "of a payment without a currency is not counted on an invoice in yen"],
    ["sync/matching/MatchChoices.test.ts", "that is finer than the invoice's currency is refused"]
  ),
  row(
    "one-cent remainders",
    ["faults/Money.test.ts", "to one cent: remainders of thirds"],
    [
      "sync/stories/OrderStory.long.test.ts",
      "three parcels, a cancellation, a return: each is sent once, to the minor unit"
    ]
  )
]
