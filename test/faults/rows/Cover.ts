/** Faults: cover, declarations and decisions. */
import { type FaultRow, row } from "../../support/FaultRow.ts"

export const COVER: ReadonlyArray<FaultRow> = [
  row(
    "a collection that others change on the service after it was shown",
    [
      "sync/stories/CollectionForeign.long.test.ts",
      "is not handed over when the service holds something else than was shown"
    ],
    ["sync/rules/Collections.test.ts", "H5: has a digest of every amount, term, field and document"]
  ),
  row("another account for the recovered money, written on the service after the declaration", [
    "sync/stories/CollectionForeign.long.test.ts",
    "has the account of the configuration when it is handed over"
  ]),
  row("a purchase that the service refuses because it was made before, and that cannot be read just then", [
    "sync/stories/CoverDecided.test.ts",
    "counts as spent where the service refuses the second request"
  ]),
  row(
    "a person's no that somebody else overrides without having seen it",
    ["cli/Cover.long.test.ts", "rejects an offer, and asks for a quote"],
    ["sync/stories/CollectionStory.long.test.ts", "is not handed over when it was paid before"]
  ),
  row("an offer that was approved, of an invoice that the configuration selects no more, and then again", [
    "sync/stories/CoverDecided.test.ts",
    "is void once the configuration does not select the invoice"
  ]),
  row("a clock that was wrong, and was set, and offers that waited for it", [
    "sync/stories/CoverDecided.test.ts",
    "is planned again once a clock that was wrong"
  ]),
  row("an offer of time to pay, while this machine's clock alone is ahead of its end", [
    "sync/apply/OfferClock.test.ts",
    "that ended by this machine's clock alone"
  ]),
  row("money that went back, of which nobody says whose it was, while the witness looks", [
    "support/witness/MayBeBack.test.ts",
    "lets an invoice wait for its state while another list has money that went back"
  ]),
  row("a list of policies that the service does not show", [
    "sync/stories/CoverWatched.long.test.ts",
    "H1: is read by itself where the service does not show its list"
  ]),
  row("a window whose beginning nobody saw: a lost state file, a clock that was ahead", [
    "sync/apply/CoverAnswers.test.ts",
    "begins no later than it can have"
  ]),
  row("a document whose upload came late, after it was sent again", [
    "sync/rules/Collections.test.ts",
    "once there: what an upload that came late attached again"
  ]),
  row("a payment of just its amount that names an invoice which is not there", [
    "sync/stories/CollectionForeign.long.test.ts",
    "H8: is not handed over while a payment of its amount"
  ]),
  row("a payment of the buyer that waits while its invoice is to be handed over, under a name that a bank writes", [
    "sync/stories/CollectionForeign.long.test.ts",
    "H8: is not handed over while a payment of its buyer waits"
  ]),
  row("a form that was shown before another person's word, and one that is posted twice", [
    "sync/stories/CollectionForeign.long.test.ts",
    "is not declared otherwise by a form that was shown before"
  ]),
  row(
    "a declaration at a terminal without an explicit answer, or by nobody who can be read",
    ["cli/CoverTerminal.long.test.ts", "asks before it buys, and for each declaration by itself"],
    ["sync/rules/Leave.test.ts", "is refused where nobody can read it"],
    ["cli/Cover.long.test.ts", "decides nothing in the name of nobody"]
  ),
  row(
    "records that say otherwise when an invoice is handed over",
    ["cli/CollectHeld.long.test.ts", "H8: is not handed over while {what}, and is once that is right"],
    ["sync/rules/RecordMention.test.ts", "may be about the invoice that it names otherwise"]
  ),
  row("a month's limit that is lowered below the price of an offer that was approved", [
    "sync/stories/CoverDecided.test.ts",
    "that was approved is asked about again once the month's limit was lowered below its price"
  ]),
  row("a connection that pays for an invoice and was never read when its cover is bought", [
    "sync/stories/CoverDecided.test.ts",
    "is not made while a connection that pays for its invoice was never read"
  ]),
  row(
    "a backup without a later withdrawal or rejection",
    ["sync/rules/Leave.test.ts", "Q5: is not bought after a no to the invoice, nor after a restored file"],
    ["sync/reconciliation/Restored.test.ts", "buys no offer of an invoice without a word where the service had one"]
  ),
  row(
    "an order or a company of the same name or number that is another's",
    ["sync/rules/Leave.test.ts", "is another one of the same name where the registers say so"],
    ["sync/rules/Leave.test.ts", "is named by id, number or name, however the name is written"]
  ),
  row("a company that the service matched with somebody else, or with nobody", [
    "sync/rules/Leave.test.ts",
    "Q4: is bought within the limits where the insured company is the buyer"
  ]),
  row("a policy or a claim that ends without money", [
    "sync/stories/CoverWatched.long.test.ts",
    "H10: has an item when its policy ends as {status}"
  ]),
  row(
    "one covered invoice that the service does not show",
    ["sync/stories/CoverWatched.long.test.ts", "H1: is read on though another one cannot be"],
    ["sync/stories/CoverWatched.long.test.ts", "H1: takes one request for a hundred policies"]
  ),
  row("a clock that was once ahead, and covered invoices", [
    "sync/stories/CoverWatched.long.test.ts",
    "H1: is read again after a clock that was ahead"
  ]),
  row(
    "cover that is taken out of the configuration",
    ["sync/stories/CoverWatched.long.test.ts", "H2: is announced though its connection has no cover"],
    ["cli/Cover.long.test.ts", "is shown for as long as something is covered"]
  ),
  row(
    "a ledger that is mended, a due date that is changed, cover that somebody else bought",
    ["sync/stories/CoverKnown.test.ts", "stays where the ledger is mended"],
    ["sync/stories/CoverKnown.test.ts", "is read at once where a list said"],
    ["sync/stories/CoverKnown.test.ts", "is read again after its due date"]
  ),
  row(
    "a clock of this machine that is in another month than the service's, within what is tolerated, or after it was set",
    ["sync/stories/CoverMonth.test.ts", "is the one before while only this machine's clock has passed its end"],
    ["sync/stories/CoverMonth.test.ts", "counts what was bought while only this machine's clock"],
    ["sync/stories/CoverMonth.test.ts", "is known after a lost state file though this machine's clock"]
  ),
  row(
    "a collection that is in doubt after the ledger was mended, beside more insured invoices than are read one by one",
    ["sync/stories/CoverWatched.long.test.ts", "H4: is read by itself while what is known of its collection"]
  ),
  row(
    "a clock of this machine that was wrong and is right again, or by less than a second, while nothing else is asked",
    ["sync/stories/CoverMonth.test.ts", "is known to be right once it was set"],
    ["sync/stories/CoverMonth.test.ts", "counts as right within a second"]
  ),
  row("a purchase whose answer is lost at the end of a month", [
    "sync/stories/CoverMonth.test.ts",
    "counts a purchase in both months"
  ]),
  row(
    "a clock of this machine that is days ahead while an offer stands, or a window begins",
    ["sync/stories/CoverMonth.test.ts", "is the service's, and so is the window to hand an invoice over"],
    ["sync/stories/CoverMonth.test.ts", "and the end of an offer are the service's"]
  ),
  row(
    "a purchase or a handover whose outcome is not known, and what people are told and asked meanwhile",
    ["sync/stories/CoverUnknown.test.ts", "Q9: of a purchase: it is neither planned again nor asked about"],
    ["sync/stories/CoverUnknown.test.ts", "of a handover: it is neither planned again, nor confirmed"],
    ["sync/stories/CoverUnknown.test.ts", "of a purchase that a person approved: the item that asked for it is closed"]
  ),
  row(
    "several offers that together come to more than is left of the month, wherever somebody buys them",
    ["sync/decisions/Offers.test.ts", "are not bought together where they cost more than a person may approve"],
    ["cli/Cover.long.test.ts", "buys nothing of several that come to more than is left of the month"]
  ),
  row("two people who decide about one item, or one whose decision no run follows", [
    "sync/decisions/Items.test.ts",
    "changes nothing if somebody else decides while it waits for the connection"
  ]),
  row("an offer that no run buys, because its plan waits for a person or was rejected", [
    "sync/stories/CoverUnknown.test.ts",
    "of an offer whose plan waits for a person"
  ]),
  row("a plan that was rejected, or left out, and a sync that nobody watches", [
    "cli/ApprovedParts.test.ts",
    "leaves out what no sync sends by hand either"
  ]),
  row(
    "a plan that somebody saved, and somebody rejected since",
    [
      "cli/ApprovedParts.test.ts",
      "and a whole one that was rejected are not sent because somebody saved the plan before"
    ],
    ["cli/Approve.long.test.ts", "and refuse: nothing is sent, and it is asked anew"]
  ),
  row("another account for recovered money under the same variable, after an invoice was confirmed", [
    "sync/stories/CollectionAccount.long.test.ts",
    "is not handed over for another account"
  ]),
  row("an offer whose company was known by its identifier alone when somebody approved it", [
    "sync/stories/CoverDecided.test.ts",
    "is not made on a word about a company of which only its identifier was known"
  ]),
  row("a name of several lines, of which one looks like a line of Daybook's own", [
    "cli/Cover.long.test.ts",
    "shows a name of several lines as one"
  ]),
  row(
    "cover that is added after the first sync, comes back, or allows more than before",
    ["sync/stories/CoverShown.long.test.ts", "that is added after the first sync is shown before it buys"],
    ["sync/stories/CoverShown.long.test.ts", "with a wider "],
    ["sync/stories/CoverShown.long.test.ts", "that is narrower buys at once, and is shown when it is as wide again"]
  ),
  row(
    "the first of two approvals, and a no, another plan or a restored file after it",
    ["sync/plan/ApprovalVoices.test.ts", "counts no more once somebody rejected the plan"],
    ["sync/plan/ApprovalVoices.test.ts", "counts no more once the state file was restored"]
  ),
  row(
    "a buyer that is kept out, whose name has the legal form of another country, or whose number is grouped in another way",
    ["sync/model/LegalForms.test.ts", "keep a company out by its name alone"],
    ["sync/model/LegalForms.test.ts", "are one however they are grouped"]
  ),
  row("a name that means two documents of a plan", [
    "cli/ApprovedParts.test.ts",
    "is not named by a number that two of its documents have"
  ]),
  row(
    "another decision about the same plan",
    ["cli/HttpInterface.long.test.ts", "approves some documents of a plan, and asks again about the rest"],
    ["cli/Tenants.test.ts", "decides nothing for another"]
  ),
  row(
    "several offers decided about at once, of which one is another by now, or which together are beyond a limit",
    ["sync/decisions/Offers.test.ts", "are bought together at the prices that were shown, or none of them is"],
    ["sync/decisions/Offers.test.ts", "are not bought together where they cost more than a person may approve"],
    ["sync/decisions/Offers.test.ts", "count together against what a person may approve"],
    ["sync/decisions/Offers.test.ts", "are not bought together where what was chosen before takes the rest"]
  )
]
