/** Mistakes about quotes and policies, each with the test that catches it. */
import type { UnitMutant } from "./unitMutants.ts"

const STORY = "test/sync/stories/CoverStory.long.test.ts"
const LIMITS = "test/sync/stories/CoverLimits.test.ts"
const KNOWN = "test/sync/stories/CoverKnown.test.ts"
const TABLE = "test/sync/rules/CoverRejections.test.ts"
const EARLIER = "test/sync/reconciliation/EarlierPurchases.test.ts"
const PLANS = "test/sync/rules/CoverPlans.test.ts"
const COLLECT = "test/cli/Collect.long.test.ts"
const FACTS = "sync/plan/CoverFacts.ts"

export const COVER: ReadonlyArray<UnitMutant> = [
  {
    name: "cover: a purchase without an answer is not looked up",
    caughtBy: [STORY, "is looked up, and bought once"],
    changes: [
      {
        file: "sync/apply/ReadBackCover.ts",
        from: "return policy === undefined || !isOurs ? absent",
        to: "return policy === undefined || isOurs ? absent"
      }
    ]
  },
  {
    name: "cover: a policy that somebody else bought is taken for ours",
    caughtBy: [STORY, "is nobody's purchase"],
    changes: [
      {
        file: "sync/apply/ReadBackCover.ts",
        from: 'const isOurs = by === undefined || by === call.body["quote"]',
        to: 'const isOurs = by === undefined || by !== call.body["none"]'
      }
    ]
  },
  {
    name: "cover: of offers that come first, one is enough",
    caughtBy: [STORY, "is spent by due date"],
    changes: [{ file: FACTS, from: "if (sum > left) break", to: "break" }]
  },
  {
    name: "cover: the month's limit is not kept",
    caughtBy: [STORY, "is spent by due date"],
    changes: [
      {
        file: "sync/rules/CoverPurchase.ts",
        from: "if (sum <= limit) return undefined",
        to: "if (sum > 0n) return undefined"
      },
      {
        file: "sync/apply/PurchaseCheck.ts",
        from: "return spent + Decimal.of(price.total) <=",
        to: "return spent <="
      }
    ]
  },
  {
    name: "cover: what is not known is not spent",
    caughtBy: [STORY, "counts as spent"],
    changes: [{ file: FACTS, from: "(r.outcome IS NULL OR r.outcome = 'done')", to: "r.outcome = 'done'" }]
  },
  {
    name: "cover: what a lost state file spent is forgotten",
    caughtBy: [EARLIER, "counts in its month after the file is lost"],
    changes: [
      {
        file: FACTS,
        from: "AND currency = :currency AND total IS NOT NULL",
        to: "AND currency = '' AND total IS NOT NULL"
      }
    ]
  },
  {
    name: "cover: what the state file itself bought counts twice once it was put back",
    caughtBy: [EARLIER, "counts once where a backup"],
    changes: [
      {
        file: "sync/reconciliation/EarlierPurchases.ts",
        from: "if (isOwn.get({ subject, quote }) !== undefined) continue",
        to: "if (isOwn.get({ subject, quote }) === null) continue"
      }
    ]
  },
  {
    name: "cover: a price that the service does not say counts as nothing",
    caughtBy: [EARLIER, "keeps everything from being bought"],
    changes: [
      {
        file: "sync/plan/PurchaseBlocks.ts",
        from: "if (unknown === undefined) return undefined",
        to: 'if (unknown?.policy !== "") return undefined'
      }
    ]
  },
  {
    name: "cover: an offer is taken to outlast an edit",
    caughtBy: ["test/sync/stories/CoverDecided.test.ts", "is expired by an edit"],
    changes: [
      {
        file: "sync/model/AdvanceCover.ts",
        from: 'quote: { ...remote.cover.quote, status: "expired" }',
        to: "quote: remote.cover.quote"
      }
    ]
  },
  {
    name: "cover: an invoice is asked about again whenever it was edited, though an offer stands",
    caughtBy: [PLANS, "settled"],
    changes: [
      {
        file: "sync/rules/Cover.ts",
        from: "if (quote !== undefined && isOffered(quote, context.now)) return purchase(of, quote)",
        to: 'if (quote !== undefined && isOffered(quote, context.now)) return isChanged(of) || of.edited === undefined ? purchase(of, quote) : ask(of, "Q2", 1)'
      }
    ]
  },
  {
    name: "cover: with the collection that a person confirmed, all of the plan is sent",
    caughtBy: [COLLECT, "hands it over once both declarations"],
    changes: [
      {
        file: "sync/apply/Apply.ts",
        from: "collection === undefined ? Plan.stream(connections) :",
        to: 'collection !== "" ? Plan.stream(connections) :'
      }
    ]
  },
  {
    name: "cover: a currency without a budget is forgotten with the invoice that spoke for it",
    caughtBy: [STORY, "is not asked for without a budget in the currency"],
    changes: [
      {
        file: "sync/apply/CoverStore.ts",
        from: "if (first !== undefined && first > subject) ChangedDocuments.touch(db, first)",
        to: "if (first !== undefined && first === subject) ChangedDocuments.touch(db, first)"
      }
    ]
  },
  {
    name: "cover: the first quote of a buyer does not wait for the buyer's limit",
    caughtBy: [LIMITS, "is read before the first quote"],
    changes: [
      {
        file: "sync/rules/Cover.ts",
        from: "if (limitUnread === true) return",
        to: "if (limitUnread === undefined && !listed) return"
      }
    ]
  },
  {
    name: "cover: a limit that cannot be read holds quotes back",
    caughtBy: [LIMITS, "holds no quote back then"],
    changes: [
      { file: "sync/refresh/BuyerLimits.ts", from: "if (rest.length > 0) yield*", to: "if (rest.length > 99) yield*" }
    ]
  },
  {
    name: "cover: purchases leave side by side, though a payment failed",
    caughtBy: [STORY, "is not bought again after a payment failed"],
    changes: [
      {
        file: "sync/apply/Worker.ts",
        from: "worker.#purchases.withPermit(one)",
        to: "one"
      }
    ]
  },
  {
    name: "cover: an offer is approved whatever it costs by now",
    caughtBy: [STORY, "is bought at the price that they saw"],
    changes: [{ file: "sync/apply/CoverDecisions.ts", from: "if (digest !== offer.digest)", to: 'if (digest === "")' }]
  },
  {
    name: "cover: a rejected offer is bought where it is within the limits, or asked about again",
    caughtBy: [STORY, "is left alone once it is rejected"],
    changes: [
      {
        file: "sync/rules/CoverPurchase.ts",
        from: 'if (decision?.decision === "reject") return',
        to: 'if (decision?.decision === "reject" && until === undefined) return'
      }
    ]
  },
  {
    name: "cover: what cannot change is asked for again after a month",
    caughtBy: [TABLE, "asks again after days"],
    changes: [
      {
        file: "sync/rules/Rejections.ts",
        from: 'const never = (why: string): Row => ({ again: { kind: "never" }, why })',
        to: 'const never = (why: string): Row => ({ again: { kind: "days", days: 30 }, why })'
      }
    ]
  },
  {
    name: "cover: a buyer's limit is shared out to whoever comes first in the plan",
    caughtBy: [LIMITS, "is read once a week"],
    changes: [
      {
        file: "sync/rules/Cover.ts",
        from: "if (!listed) return",
        to: "if (!listed && exposure.count > 99) return"
      }
    ]
  },
  {
    name: "cover: what says otherwise about an invoice is not looked for",
    caughtBy: ["test/cli/CollectHeld.long.test.ts", "H8: is not handed over while"],
    changes: [
      {
        file: "sync/rules/Collections.ts",
        from: "const otherwise = context.contradictions()",
        to: "const otherwise: ReadonlyArray<string> = []"
      }
    ]
  },
  {
    name: "cover: the service is not read again before what cannot be undone",
    caughtBy: [
      "test/sync/stories/CollectionForeign.long.test.ts",
      "is not handed over when the service holds something else"
    ],
    changes: [
      {
        file: "sync/apply/Irreversible.ts",
        from: "if (isSame(corrected, remote)) return true",
        to: 'if (corrected.kind !== "buyer") return true'
      }
    ]
  },
  {
    name: "cover: a rejected offer is forgotten with it",
    caughtBy: ["test/sync/rules/Leave.test.ts", "Q5: is not bought after a no"],
    changes: [
      { file: "sync/rules/CoverPurchase.ts", from: "if (refused !== undefined) {", to: 'if (refused?.who === "") {' }
    ]
  },
  {
    name: "cover: a restored state file is believed",
    caughtBy: ["test/sync/rules/Leave.test.ts", "Q5: is not bought after a no"],
    changes: [
      {
        file: "sync/rules/CoverPurchase.ts",
        from: "if (restored === true)",
        to: 'if (restored === undefined && quote.id === "")'
      }
    ]
  },
  {
    name: "cover: whoever the service matched is insured",
    caughtBy: ["test/sync/rules/Leave.test.ts", "Q4: is bought within the limits where"],
    changes: [
      {
        file: "sync/rules/CoverPurchase.ts",
        from: "if (!isMatched(quote, invoice, settings))",
        to: 'if (quote.id === "")'
      }
    ]
  },
  {
    name: "cover: a policy that ends without money is nobody's business",
    caughtBy: ["test/sync/stories/CoverWatched.long.test.ts", "H10: has an item when"],
    changes: [
      {
        file: "sync/rules/Cover.ts",
        from: "if (EXPECTED.has(status) ||",
        to: 'if (status !== "" || EXPECTED.has(status) ||'
      }
    ]
  },
  {
    name: "cover: one unreadable invoice ends the reading of all",
    caughtBy: ["test/sync/stories/CoverWatched.long.test.ts", "H1: is read on though another"],
    changes: [
      {
        file: "sync/refresh/CoverSweep.ts",
        from: "if (!isOfThese(failure) || ++failures.inRow > MOST_FAILURES)",
        to: "if (!isOfThese(failure) || ++failures.inRow > 0)"
      }
    ]
  },
  {
    name: "cover: a time in the future is believed",
    caughtBy: ["test/sync/stories/CoverWatched.long.test.ts", "H1: is read again after a clock"],
    changes: [{ file: "sync/refresh/CoverSweep.ts", from: " OR read > :now OR ", to: " OR " }]
  },
  {
    name: "cover: the policy of an invoice is forgotten where the ledger is mended",
    caughtBy: [KNOWN, "stays where the ledger is mended"],
    changes: [
      {
        file: "sync/reconciliation/Difference.ts",
        from: "...(remote?.id === now.id && remote.cover !== undefined ?",
        to: "...(remote?.id !== now.id && remote?.cover !== undefined ?"
      }
    ]
  },
  {
    name: "cover: a policy that nothing is known of waits until the next day",
    caughtBy: [KNOWN, "is read at once where a list said"],
    changes: [{ file: "sync/refresh/CoverSweep.ts", from: " OR state = 'insured' AND policy IS NULL OR ", to: " OR " }]
  },
  {
    name: "cover: what was read counts as new though the service said an earlier time",
    caughtBy: ["test/core/wire/ServiceClock.test.ts", "says what time it was first while something was read"],
    changes: [
      {
        file: "core/wire/ServiceClock.ts",
        from: "one.stated = Math.min(one.stated ?? stated, stated)",
        to: "one.stated = stated"
      }
    ]
  },
  {
    name: "cover: a window that moved with the due date is read on the next day",
    caughtBy: [KNOWN, "is read again after its due date was changed"],
    changes: [
      {
        file: "sync/apply/CoverStore.ts",
        from: "if (isMoved(before, after, time)) wasRead(db, subject, 0)",
        to: "if (isMoved(before, after, time)) wasRead(db, subject, time)"
      }
    ]
  },
  {
    name: "cover: somebody buys for more than they may approve",
    caughtBy: [LIMITS, "is compared with the price of the offer"],
    changes: [
      { file: "sync/apply/CoverDecisions.ts", from: "most !== undefined && price <= most", to: "most !== undefined" }
    ]
  },
  {
    name: "cover: what was chosen before leaves the month as it was",
    caughtBy: ["test/sync/decisions/Offers.test.ts", "are not bought together where what was chosen before"],
    changes: [{ file: "sync/decisions/Offers.ts", from: '?? "0") - promised', to: '?? "0")' }]
  },
  {
    name: "cover: an approved offer waits for a month that never comes",
    caughtBy: ["test/sync/stories/CoverDecided.test.ts", "that was approved is asked about again"],
    changes: [
      {
        file: "sync/rules/CoverPurchase.ts",
        from: "if (Decimal.of(price.total) > Decimal.of(of.settings.price.per_month))",
        to: 'if (Decimal.of(price.total) < Decimal.of("0"))'
      }
    ]
  }
]
