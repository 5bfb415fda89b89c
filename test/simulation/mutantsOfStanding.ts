/** Mistakes about payments that are reported, and about what is decided again when something else changes. */
import type { UnitMutant } from "./unitMutants.ts"

const STANDING = "test/sync/matching/MatchStanding.long.test.ts"
const ORDER = "test/sync/matching/MatchOrder.long.test.ts"

export const REPORTED: ReadonlyArray<UnitMutant> = [
  {
    name: "matching: a later payment takes back what is reported",
    caughtBy: [STANDING, "stays when a later one names its invoice"],
    changes: [{ file: "sync/matching/Tables.ts", from: 'standing: any(db, "standing")', to: "standing: false" }]
  },
  {
    name: "matching: what stands is not known to payments of its amount",
    caughtBy: [STANDING, "stays where it is when another one of its amount makes it uncertain"],
    changes: [
      {
        file: "sync/matching/Amounts.ts",
        from: "if (stands === undefined) continue",
        to: "if (stands !== null) continue"
      }
    ]
  },
  {
    name: "matching: what stands is decided again by nobody",
    caughtBy: [STANDING, "takes its invoice from then on, for what named it before as well"],
    changes: [{ file: "sync/matching/Run.ts", from: "    Standing.queueNew(db)\n", to: "" }]
  },
  {
    name: "matching: once a payment is reported, what its text names counts no more",
    caughtBy: [STANDING, "is asked about once the invoice that its text names is there"],
    changes: [
      { file: "sync/matching/Resolve.ts", from: "why === undefined ? placed : { ...placed, why }", to: "placed" }
    ]
  },
  {
    name: "matching: what is reported on an invoice by its old number is left out of what is open",
    caughtBy: [STANDING, "counts on its invoice when that has another number"],
    changes: [
      {
        file: "sync/matching/Decide.ts",
        from: "m.how IN ('amount', 'customer', 'reference')",
        to: "m.how IN ('amount', 'customer')"
      }
    ]
  },
  {
    name: "matching: an invoice of the same amount is as good as one that is not in the books",
    caughtBy: ["test/sync/matching/MatchReferences.test.ts", "waits for it, whatever else has its amount"],
    changes: [
      {
        file: "sync/matching/Amounts.ts",
        from: "if (fitting.some((invoice) => namesAnother(payment, invoice) !== undefined))",
        to: 'if (fitting.some((invoice) => namesAnother(payment, invoice) === ""))'
      }
    ]
  },
  {
    name: "matching: what is much shorter than the invoices' numbers is another one",
    caughtBy: ["test/sync/matching/MatchReferences.test.ts", "which has its amount, where its text may say so"],
    changes: [
      { file: "sync/matching/Texts.ts", from: "Math.abs(named.length - number.length) > 1", to: "named.length === 0" }
    ]
  },
  {
    name: "matching: the beginning of a known number is one that the books do not have",
    caughtBy: ["test/sync/matching/MatchReferences.test.ts", "which has its amount, where its text may say so"],
    changes: [{ file: "sync/matching/Lookups.ts", from: "whole.startsWith(one)", to: "whole === one" }]
  },
  {
    name: "matching: what stood elsewhere while lists were compared is not compared again",
    caughtBy: [
      "test/sync/matching/SameMoney.long.test.ts",
      "has the payment of another list that paid another invoice, once that was taken back"
    ],
    changes: [
      {
        file: "sync/apply/PaymentsHeld.ts",
        from: "for (const one of gone) join",
        to: "for (const one of gone.slice(1)) join"
      }
    ]
  },
  {
    name: "matching: what stood on an invoice that is gone from the service stands there for ever",
    caughtBy: [
      "test/sync/matching/SameMoney.long.test.ts",
      "has the payment of another list that paid another invoice, once that is void and gone"
    ],
    changes: [
      {
        file: "sync/apply/PaymentsHeld.ts",
        from: "if (remote === undefined) return forget(db, invoice)",
        to: "if (remote === undefined) return"
      }
    ]
  },
  {
    name: "matching: within limits, an invoice is as good as one that is not in the books",
    caughtBy: ["test/sync/matching/MatchLimits.test.ts", "is not replaced by others within the limits"],
    changes: [{ file: "sync/matching/Limits.ts", from: "if (isElsewhere)", to: "if (isElsewhere && all.length === 0)" }]
  },
  {
    name: "matching: what stands stays on an invoice whose currency changed",
    caughtBy: [ORDER, "nothing stays on an invoice that is in another currency now"],
    changes: [
      {
        file: "sync/matching/Standing.ts",
        from: "p.payable = 1 AND p.currency = ? AND p.connection = ?",
        to: "p.payable = 1 AND ? <> '' AND p.connection = ?"
      }
    ]
  },
  {
    name: "matching: what goes back of a linked payment opens more than it paid",
    caughtBy: [ORDER, "no more is open again than a payment that its source links to the invoice was"],
    changes: [
      { file: "sync/matching/Given.ts", from: "BigInt(amount) < most ? BigInt(amount) : most", to: "BigInt(amount)" }
    ]
  },
  {
    name: "matching: the same money is not looked at again when an invoice gets another number",
    caughtBy: [ORDER, "what is the same money is decided again when the invoice that it names is another"],
    changes: [
      {
        file: "sync/matching/Index.ts",
        from: "mentioned && dirty.later.areJoined()",
        to: "mentioned && names.length < 0"
      }
    ]
  },
  {
    name: "matching: only the payer's own name says that an invoice is paid",
    caughtBy: [ORDER, "an invoice is called paid under every name that its customer pays with"],
    changes: [
      {
        file: "sync/matching/Groups.ts",
        from: "[party, ...(aliases.by.get(party) ?? []).map((one) => one.party)]",
        to: "[party]"
      }
    ]
  },
  {
    name: "matching: what stands stays though its source says otherwise",
    caughtBy: [STANDING, "leaves when its source says something else of it"],
    changes: [
      {
        file: "sync/matching/Index.ts",
        from: '    db.prepare("UPDATE standing SET kept = 0 WHERE payment = ?").run(key)',
        to: "    return"
      }
    ]
  },
  {
    name: "matching: what stands stays though a person takes it back",
    caughtBy: [STANDING, "leaves when a person takes the decision back"],
    changes: [
      {
        file: "sync/matching/Choices.ts",
        from: '  db.prepare("UPDATE standing SET kept = 0 WHERE payment = ?").run(payment)\n',
        to: ""
      }
    ]
  },
  {
    name: "matching: a lost state file learns nothing of choices from the service",
    caughtBy: [STANDING, "learns from the service which invoice a person chose"],
    changes: [
      { file: "sync/apply/PaymentsHeld.ts", from: "row === undefined && !isClaimed(db, invoice, payment)", to: "false" }
    ]
  },
  {
    name: "matching: a removed connection of which nothing was read holds invoices back for ever",
    caughtBy: ["test/sync/plan/RemovedPayer.test.ts", "holds nothing back if nothing of it was ever read"],
    changes: [{ file: "sync/plan/Surroundings.ts", from: "(p.removed = 0", to: "(p.removed >= 0" }]
  },
  {
    name: "orders: what is left bears a discount of which cancelled goods took their share",
    caughtBy: ["test/orders/laws/OddDays.test.ts", "goes with the goods that were cancelled"],
    changes: [
      { file: "sync/rules/OrderStanding.ts", from: "state.charges === undefined && charges < first", to: "false" }
    ]
  },
  {
    name: "matching: what is reported moves to wherever the books have money of its payer and amount",
    caughtBy: [ORDER, "what is reported on the invoice that its text means stays there"],
    changes: [
      { file: "sync/matching/Sightings.ts", from: "name === number || isEndOf(name, number)", to: "name === number" }
    ]
  }
]
