/** Mistakes about what banks exchange, and about matches that a person knows to be wrong, each with the test that catches it. */
import type { UnitMutant } from "./unitMutants.ts"

const ASKED_AGAIN = "test/sync/decisions/AskedAgain.test.ts"
const TRACES = "test/sync/matching/Untraced.test.ts"
const EXCHANGED = "test/sync/matching/Exchanged.test.ts"

export const EXCHANGES: ReadonlyArray<UnitMutant> = [
  {
    name: "decisions: a payment is taken from what is marked as paid without a word",
    caughtBy: [ASKED_AGAIN, "is taken from what is marked as paid only by who knows"],
    changes: [
      {
        file: "sync/matching/Asked.ts",
        from: "(sure ? [] : closedOn(db, payment))",
        to: '(sure ? [] : closedOn(db, ""))'
      }
    ]
  },
  {
    name: "matching: lines of one day take turns at what the books have",
    caughtBy: ["test/sync/matching/Booked.test.ts", "counts once whatever is decided again together"],
    changes: [
      { file: "sync/matching/Limits.ts", from: "Booked.asBefore(db, came) ?? Booked.ofPayer", to: "Booked.ofPayer" }
    ]
  },
  {
    name: "matching: what the books explain is asked about once others of its day are decided again",
    caughtBy: ["test/sync/matching/Booked.test.ts", "counts once whatever is decided again together"],
    changes: [
      {
        file: "sync/matching/Groups.ts",
        from: ': boolean => how === "amount" && note !== ""',
        to: ': boolean => how === "amount" && note === "-"'
      }
    ]
  },
  {
    name: "matching: what went back takes back a payment of another trace, since it names the invoice",
    caughtBy: [TRACES, "takes back the one that was read without traces"],
    changes: [
      {
        file: "sync/matching/Traces.ts",
        from: "(one) => !isTraced || !one.hasTrace",
        to: '(one) => !isTraced || one.key !== ""'
      }
    ]
  },
  {
    name: "matching: what went back has no payment that was read in a format without traces",
    caughtBy: [TRACES, "takes back the one that was read without traces"],
    changes: [
      {
        file: "sync/matching/Traces.ts",
        from: "|| traces.length === 0) return referred",
        to: "|| traces.length < 0) return referred"
      }
    ]
  },
  {
    name: "matching: what waits because it names another customer's invoice leaves its own to a later payment",
    caughtBy: ["test/sync/matching/Undesignated.test.ts", "are left to another of its payer and amount that waits"],
    changes: [{ file: "sync/matching/Elsewhere.ts", from: "Math.max(0, equal - named.length)", to: "0 * equal" }]
  },
  {
    name: "matching: what a bank exchanged is taken back from where it is reported once the books have it",
    caughtBy: [EXCHANGED, "stays where it is once the books have it"],
    changes: [
      {
        file: "sync/matching/Resolve.ts",
        from: "return reported ?? byInstructed",
        to: "return reported !== undefined ? [] : byInstructed"
      }
    ]
  },
  {
    name: "decisions: what somebody says is matched wrongly stays there",
    caughtBy: [ASKED_AGAIN, "is taken back from there, asked about, and stays"],
    changes: [
      {
        file: "sync/matching/Resolve.ts",
        from: "dirty.choices && isAsked(db, row.key)",
        to: 'dirty.choices && isAsked(db, "")'
      }
    ]
  },
  {
    name: "decisions: what somebody said is matched wrongly is for no invoice once that is taken back",
    caughtBy: [ASKED_AGAIN, "is taken back from there, asked about, and stays"],
    changes: [
      {
        file: "sync/matching/References.ts",
        from: "text === undefined || text === ASKED ?",
        to: "text === undefined ?"
      }
    ]
  },
  {
    name: "rules: too much that was received names none of the payments that were matched",
    caughtBy: [ASKED_AGAIN, "is named where more came than the invoice asks for"],
    changes: [
      {
        file: "sync/rules/SourceFigures.ts",
        from: "payments.filter(({ how }) => how !== undefined).slice(0, MOST_NAMED)",
        to: 'payments.filter(({ how }) => how === "none").slice(0, MOST_NAMED)'
      }
    ]
  },
  {
    name: "movements: what a person said of one payment that a bank exchanged says nothing of its rate",
    caughtBy: [EXCHANGED, "is what the books have of its payer at about the rate"],
    changes: [
      {
        file: "sync/matching/Exchanged.ts",
        from: "instructed(db, came, which.payment) ?? asBooked(db, came, which)",
        to: "instructed(db, came, which.payment) ?? (asBooked(db, came, which), undefined)"
      }
    ]
  },
  {
    name: "movements: what a bank exchanged is what the books have at any rate",
    caughtBy: [EXCHANGED, "is asked about at another rate, weeks apart"],
    changes: [
      {
        file: "sync/matching/Exchanged.ts",
        from: "return apart * 100n <= other * APART",
        to: "return apart * 10n <= other * APART"
      }
    ]
  },
  {
    name: "movements: what the books enter later is not looked for among what banks exchanged",
    caughtBy: [EXCHANGED, "is so though the books have it later"],
    changes: [
      {
        file: "sync/matching/Joins.ts",
        from: "if (other?.got === undefined) continue",
        to: "if (other?.got === undefined || other.isOwn !== true) continue"
      }
    ]
  },
  {
    name: "matching: what a bank exchanged is for what it names, whatever was sent",
    caughtBy: [EXCHANGED, "is asked about where it is another amount"],
    changes: [
      {
        file: "sync/matching/ByText.ts",
        from: "sum(shares.map(({ amount }) => amount)) === instructed.amount",
        to: "shares.length > 0"
      }
    ]
  },
  {
    name: "movements: what a bank exchanged is none of the books' payments in the invoice's currency",
    caughtBy: [EXCHANGED, "is the books' payment of that amount in that currency"],
    changes: [
      {
        file: "sync/matching/Sightings.ts",
        from: "(exchanged(db, { family, payers, named, stated }, { document, key, payment }) ?? stated)",
        to: "(exchanged(db, { family, payers, named, stated }, { document, key, payment }) === undefined ? stated : stated)"
      }
    ]
  },
  {
    name: "a choice is taken back from an invoice that stays marked as paid before anybody has seen that",
    caughtBy: [ASKED_AGAIN, "is taken from what is marked as paid likewise where"],
    changes: [
      {
        file: "sync/decisions/Items.ts",
        from: "undefined : Asked.staysPaid(db, payment, sure)",
        to: "undefined : undefined"
      }
    ]
  }
]
