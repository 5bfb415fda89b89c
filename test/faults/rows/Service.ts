/** Faults: clocks, other hands on the service, orders. */
import { type FaultRow, row } from "../../support/FaultRow.ts"
import { SIMULATION, kit } from "./Shown.ts"

export const SERVICE: ReadonlyArray<FaultRow> = [
  row(
    "clocks going forward and back",
    ["faults/Machine.long.test.ts", "that was set {words} by more than a day"],
    SIMULATION
  ),
  row("UTC+13", kit("shifts no day with the machine's zone")),
  row("month end", ["faults/Machine.long.test.ts", "that goes back in the middle of a month's end"]),
  row("insured by someone else mid-run", [
    "sync/apply/Refusals.long.test.ts",
    "insured by someone else since it was sent"
  ]),
  row(
    "a payment that somebody else reported or took back on the service",
    ["sync/rules/PaymentsOfOthers.test.ts", "P9: counts in what is open on the service, and a person hears of it"],
    ["sync/rules/PaymentsOfOthers.test.ts", "is not taken back again when the books lose it"]
  ),
  row("paid by someone else mid-run", ["faults/Money.test.ts", "marked it as paid meanwhile"]),
  row("deleted by someone else mid-run", [
    "sync/apply/Refusals.long.test.ts",
    "deleted by someone else: one attention"
  ]),
  row(
    "a parcel edited, split, entered again or moved after it was sent",
    ["cli/OrderMoney.long.test.ts", "a parcel that is {name} is not captured again"],
    ["cli/OrderMoney.long.test.ts", "a return that is entered again under another id"]
  ),
  row(
    "goods that are exchanged, sent again after they were lost, or lowered once they were paid",
    ["connectors/odoosales/exchanges.test.ts", "is charged whole, while its replacement waits"],
    ["connectors/odoosales/exchanges.test.ts", "is charged for what left, while another one is still here"],
    ["connectors/odoosales/exchanges.test.ts", "gives back once what came back"],
    ["connectors/odoosales/exchanges.test.ts", "gives back discounts that are credited"],
    ["sync/rules/OrderLowered.test.ts", "is not explained by a payment that stays"]
  ),
  row(
    "a return that was refunded and is deleted in the source",
    ["orders/laws/Withdrawn.test.ts", "waits, however it disappears"],
    ["orders/laws/Withdrawn.test.ts", "stays given back, and what leaves later is charged"],
    ["orders/Cases.ts", "a return that was refunded and is deleted, while more leaves"]
  ),
  row(
    "parcels of another system, for an order that is not there, has another line, or shares its number",
    [
      "sync/plan/OrderMovements.test.ts",
      "may come before their order, and are nobody's where two orders have the number"
    ],
    ["sync/plan/OrderMovements.test.ts", "wait for a person if they name goods that the order does not have"]
  ),
  row(
    "captured by someone else",
    ["sync/stories/OrderStory.long.test.ts", "somebody else captured more than is due: nothing is captured twice"],
    ["cli/OrderHands.test.ts", "a {hand} of which a person says"],
    ["cli/OrderHands.test.ts", "a payment is read once by each run that takes of it, before it does"],
    ["orders/Cases.ts", "a return without lines of an order that was captured by hand"]
  ),
  row(
    "two orders claim one deferred payment",
    ["sync/rules/OrderParts.test.ts", "are asked about, and nothing is sent, where they come to something else"],
    ["sync/rules/OrderParts.test.ts", "are decided as one where they come to what it authorises"],
    ["cli/OrderIdentity.long.test.ts", "two new orders carry the same one"],
    ["cli/OrderIdentity.long.test.ts", "an order that was entered anew under its number"],
    ["cli/OrderIdentity.long.test.ts", "orders of two connections claim the same one"],
    ["orders/Alone.ts", "two created orders of one number, and an older state file put back"]
  ),
  row(
    "an order's deferred payment or number changes",
    ["cli/OrderIdentity.long.test.ts", "is for a person once something was taken"],
    ["cli/OrderIdentity.long.test.ts", "a new order takes the number of one that gets another"],
    ["orders/Alone.ts", "a lost state file, and an order under another number with one more parcel"]
  ),
  row(
    "a deferred payment that the service ends, or authorises for another amount",
    ["orders/Totals.ts", "a deferred payment that expires after its first capture"],
    ["orders/Totals.ts", "a deferred payment that is authorised for less than the next parcel"]
  ),
  row(
    "a buyer merged or deleted on the service",
    ["sync/stories/KeptBuyers.test.ts", "that are {what} on the service: a person is told"],
    ["orders/Alone.ts", "a buyer who is merged with another one on the service, before the second order"]
  ),
  row(
    "a refund and a parcel on one day of a shop's own clock",
    ["connectors/shops/woocommerceDays.test.ts", "are the shop's own, east and west of Greenwich"],
    ["connectors/shops/woocommerceDays.test.ts", "of a refund and a parcel the same"],
    ["orders/Totals.ts", "goods that are cancelled on the day on which the others of their line leave"]
  ),
  row(
    "a document of an order whose answer was lost, or whose capture was not made",
    ["cli/OrderPapers.long.test.ts", "are there once although the answer was lost"],
    ["cli/OrderPapers.long.test.ts", "whose answer never came are sent by the next sync"],
    ["cli/OrderPapers.long.test.ts", "are never for a capture that was not made"],
    ["cli/OrderPapers.long.test.ts", "that are not there are named"],
    ["cli/OrderPapers.long.test.ts", "that change once they are attached stay as they are"]
  ),
  row(
    "an order and its payment of two currencies",
    ["cli/OrderMoney.long.test.ts", "an order in GBP on a payment in EUR"],
    ["cli/OrderMoney.long.test.ts", "an order whose currency is edited after a capture"]
  ),
  row(
    "records missing from a page, repeated or with another amount, while the source's own balance is right",
    ["simulation/Simulation.test.ts", "a source whose records lose a payment"],
    ["cli/Independent.long.test.ts", "names both amounts where the source itself says another balance"]
  ),
  row(
    "rows lost from the books or the ledger, which agree without them",
    ["cli/Independent.long.test.ts", "names a payment that was deleted from the books before it was sent"],
    ["cli/Independent.long.test.ts", "names an invoice that was deleted from the books"],
    ["cli/Independent.long.test.ts", "has nothing to name where the ledger lost a payment"]
  ),
  row(
    "money given back for no goods of an order that is closed before all of it left",
    ["orders/laws/OddDays.test.ts", "files: money back for no goods, and then the rest is closed"],
    ["orders/laws/Endings.test.ts", "money back for no goods, and then the rest is cancelled"],
    ["orders/laws/Endings.test.ts", "the rest is cancelled, and then money goes back for no goods"]
  ),
  row("a sync between goods that came back and the money for them", [
    "sync/stories/OrderNews.long.test.ts",
    "{days} days: {shop}"
  ]),
  row(
    "several deferred payments of one order",
    ["cli/SeveralPayments.long.test.ts", "are captured in their order, and refunded the last first"],
    ["cli/SeveralPayments.long.test.ts", "are used from when they are named and accepted"],
    ["cli/SeveralPayments.long.test.ts", "of which another order names one wait for a person"],
    ["cli/SeveralPayments.long.test.ts", "of another currency than the order's hold it"]
  ),
  row(
    "a source that was not read to its end",
    [
      "sync/reconciliation/Unread.long.test.ts",
      "nor is anything of an order sent while the latest record of {what} could not be read"
    ],
    ["sync/reconciliation/Unread.long.test.ts", "a closed order is not voided while its parcels"],
    [
      "sync/reconciliation/Unread.long.test.ts",
      "an invoice is not marked as paid while money that went back may be missing"
    ]
  )
]
