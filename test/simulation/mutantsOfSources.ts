/** Mistakes about what sources mean: each is caught by a test of its connector. */
import type { UnitMutant } from "./unitMutants.ts"

const STRIPE = "test/connectors/stripe/stripe.test.ts"
const QUICKBOOKS = "test/connectors/quickbooks/quickbooks.test.ts"
const CONTRADICTIONS = "test/connectors/contract/contradictions.test.ts"

export const SOURCES: ReadonlyArray<UnitMutant> = [
  {
    name: "an invoice that is called paid may have an open amount",
    changes: [
      {
        file: "connectors/Contradictions.ts",
        from: 'status === "paid" && open !== undefined && open > 0n',
        to: "open === undefined"
      }
    ],
    caughtBy: [CONTRADICTIONS, "is paid with an open amount"]
  },
  {
    name: "more may be open than an invoice asks for",
    changes: [{ file: "connectors/Contradictions.ts", from: "open > amount)", to: "open < 0n && open > amount)" }],
    caughtBy: [CONTRADICTIONS, "more open than it asks for"]
  },
  {
    name: "lines of an invoice may come to less than it says",
    changes: [{ file: "connectors/Json.ts", from: "if (odd !== undefined) throw", to: "if (odd === null) throw" }],
    caughtBy: ["test/connectors/contract/sums.test.ts", "quarantine the record"]
  },
  {
    name: "discounts may raise an invoice of Chargebee",
    changes: [{ file: "connectors/chargebee/Mapping.ts", from: "return total > most ?", to: "return total < 0n ?" }],
    caughtBy: ["test/connectors/contract/sums.test.ts", "are found in Chargebee's invoices with discounts"]
  },
  {
    name: "a refund of GoCardless may have another currency than its payment",
    changes: [
      {
        file: "connectors/gocardless/Mapping.ts",
        from: 'if (refund.currency("currency") !== currency)',
        to: 'if (refund.currency("currency") === "")'
      }
    ],
    caughtBy: ["test/connectors/gocardless/gocardless.test.ts", "is in the currency of its payment"]
  },
  {
    name: "tenants of one account ask as if each were alone",
    changes: [{ file: "connectors/Turns.ts", from: "by === undefined ? own", to: 'by !== "" ? own' }],
    caughtBy: ["test/connectors/contract/together.long.test.ts", "keep to one account's limits together"]
  },
  {
    name: "a limit of a day holds for each request by itself",
    changes: [{ file: "connectors/Daily.ts", from: "+ others >= perDay", to: "+ others < 0" }],
    caughtBy: ["test/connectors/contract/daily.test.ts", "is kept to together"]
  },
  {
    name: "accounts that nobody asks for are counted for ever",
    changes: [{ file: "connectors/Pace.ts", from: "if (its.isIdle(now))", to: "if (!its.isIdle(now) && now < 0)" }],
    caughtBy: ["test/connectors/contract/daily.test.ts", "are let go"]
  },
  {
    name: "members of a declaration that nobody reads are accepted",
    changes: [
      {
        file: "connectors/Misnamed.ts",
        from: ".filter((name) => !Object.hasOwn(known, name))",
        to: ".filter((name) => !Object.hasOwn(known, name) && names.length === 0)"
      }
    ],
    caughtBy: ["test/connectors/rest/declaration.test.ts", "has no member that nobody reads"]
  },
  {
    name: "what was paid outside Stripe is no payment",
    changes: [{ file: "connectors/stripe/Mapping.ts", from: "if (all <= listed)", to: "if (all !== 0n)" }],
    caughtBy: [STRIPE, "paid outside Stripe"]
  },
  {
    name: "what Stripe credits for later lowers the invoice",
    changes: [
      {
        file: "connectors/stripe/Mapping.ts",
        from: 'note.get("customer_balance_transaction") === undefined ? of',
        to: "note !== undefined ? of"
      }
    ],
    caughtBy: [STRIPE, "not by what is credited for later"]
  },
  {
    name: "a debt that Stripe carries over is forgotten",
    changes: [
      {
        file: "connectors/stripe/Mapping.ts",
        from: 'money(one, "total", currency) + carried',
        to: 'money(one, "total", currency)'
      }
    ],
    caughtBy: [STRIPE, "owed from before"]
  },
  {
    name: "a bank deposit in QuickBooks is a credit",
    changes: [
      {
        file: "connectors/quickbooks/Mapping.ts",
        from: '["CreditMemo", "Deposit"].map',
        to: '["CreditMemo", "Other"].map'
      }
    ],
    caughtBy: [QUICKBOOKS, "bank deposit was linked"]
  },
  {
    name: "a journal entry in QuickBooks is a credit in silence",
    changes: [
      {
        file: "connectors/quickbooks/Mapping.ts",
        from: "if (how.journal_entries === undefined)",
        to: 'if (how.journal_entries === ("" as never))'
      }
    ],
    caughtBy: [QUICKBOOKS, "wait until a setting says"]
  },
  {
    name: "a registered payment in Odoo settles an invoice",
    changes: [
      {
        file: "connectors/odoo/Mapping.ts",
        from: 'fields.decimal("amount_residual") > 0n ? "registered"',
        to: '0n > 1n ? "registered"'
      }
    ],
    caughtBy: ["test/conformance/connectors.long.test.ts", "makes the golden documents"]
  },
  {
    name: "an invoice of nothing is sent",
    changes: [
      {
        file: "sync/rules/Invoices.ts",
        from: "(invoice.gross ?? invoice.net ?? 0n) === 0n)",
        to: "(invoice.gross ?? invoice.net ?? 1n) === 1n)"
      }
    ],
    caughtBy: ["test/sync/rules/Rules.test.ts", "asks for nothing is not sent"]
  },
  {
    name: "what was credited and paid back is missing from the source's own figures",
    changes: [
      {
        file: "sync/rules/SourceFigures.ts",
        from: "(beforeReversals === true ? repaid : returned)",
        to: "(beforeReversals === true ? 0n : returned)"
      }
    ],
    caughtBy: ["test/sync/rules/SourceFigures.test.ts", "credited and paid back"]
  }
]
