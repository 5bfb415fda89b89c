/** Mistakes about which payments of several lists are one, and about whom is asked when, each with the test that catches it. */
import type { UnitMutant } from "./unitMutants.ts"

const BOOKED = "test/sync/matching/Booked.test.ts"
const LIMITS = "test/sync/movements/Limits.test.ts"
const MOVEMENTS = "test/sync/movements/Movements.test.ts"
const STRANGERS = "test/sync/matching/Strangers.test.ts"

export const SIGHTINGS: ReadonlyArray<UnitMutant> = [
  {
    name: "matching: what names an invoice that is void pays another one of its amount",
    caughtBy: [
      "test/sync/matching/NamedInShort.test.ts",
      "is none where the number is that of an invoice which is void"
    ],
    changes: [
      {
        file: "sync/matching/Elsewhere.ts",
        from: "p.party = n.value AND substr",
        to: "p.party = n.value AND p.payable = 1 AND substr"
      }
    ]
  },
  {
    name: "movements: what names an invoice in short is what the books have of its payer for another one",
    caughtBy: [
      "test/sync/matching/NamedInShort.test.ts",
      "is not what the books have of its payer and amount for another one"
    ],
    changes: [
      {
        file: "sync/matching/Sightings.ts",
        from: '[...new Set([typeof known === "string" ? known : payer.party, ...partiesOf(db, theirs)])]',
        to: '[typeof known === "string" ? known : payer.party, ...partiesOf(db, theirs)]'
      }
    ]
  },
  {
    name: "movements: another customer's invoice is reason enough, whoever paid",
    caughtBy: [MOVEMENTS, "and never by that invoice alone"],
    changes: [
      { file: "sync/movements/Join.ts", from: "isNamed && a.isOthers !== true && b.isOthers !== true", to: "isNamed" }
    ]
  },
  {
    name: "movements: what is reported on the invoice waits for the list, though the books have it there",
    caughtBy: [MOVEMENTS, "are one that the books have late on its own invoice"],
    changes: [
      { file: "sync/movements/Join.ts", from: "isTold(a, b) || (isMost(own) && isThere({ a, b }))", to: "isTold(a, b)" }
    ]
  },
  {
    name: "movements: what is reported moves to whatever the books have of its payer first",
    caughtBy: [MOVEMENTS, "are in doubt where the books would move it from where it is reported"],
    changes: [{ file: "sync/movements/Join.ts", from: "isOther || (leavesIt(a, b) && !isTold(a, b))", to: "isOther" }]
  },
  {
    name: "movements: what the books have is not looked for under names that a bank cut",
    caughtBy: ["test/sync/matching/SameByName.test.ts", "for which two of its invoices were open until"],
    changes: [{ file: "sync/matching/Joins.ts", from: "...(one.under ?? [])", to: "" }]
  },
  {
    name: "banks: a name of which a space was cut last is another payer in another format",
    caughtBy: ["test/sync/books/SameEntries.long.test.ts", "has each entry once"],
    changes: [
      { file: "connectors/files/bank/Facts.ts", from: "name.length >= CUT_AT - 1", to: "name.length >= CUT_AT" }
    ]
  },
  {
    name: "matching: a name that goes on after a space is whole",
    caughtBy: ["test/sync/matching/MatchPayers.test.ts", "is the same however a bank writes it"],
    changes: [{ file: "sync/model/PayerName.ts", from: " && GOES_ON.test(left)", to: " && left === GOES_ON.source" }]
  },
  {
    name: "movements: half of an invoice is late what the other half was",
    caughtBy: [MOVEMENTS, "are one that the books have late on its own invoice"],
    changes: [{ file: "sync/movements/Join.ts", from: "amount * 2n > asks", to: "amount * 3n > asks" }]
  },
  {
    name: "movements: a list that has the money by its payer says that the invoice received it",
    caughtBy: [LIMITS, "a list that says nothing of the invoice"],
    changes: [{ file: "sync/movements/Limits.ts", from: "saying(one).has(list)", to: "listsOf(one).has(list)" }]
  },
  {
    name: "matching: a stranger is asked about as soon as the books might have had it",
    caughtBy: [STRANGERS, "is asked about once the quarter is over"],
    changes: [{ file: "sync/matching/Report.ts", from: "isUnknown(db, key) ? quarterEnd(until) : until", to: "until" }]
  },
  {
    name: "matching: whoever is no customer is a stranger, whatever they write",
    caughtBy: [STRANGERS, "is asked about as before where it names a number"],
    changes: [
      { file: "sync/matching/NotOurs.ts", from: "    namesNothing(payment) &&\n    aliasesOf", to: "    aliasesOf" }
    ]
  },
  {
    name: "matching: what a stranger sends is for no invoice, though one has its amount",
    caughtBy: [STRANGERS, "is answered together, and for good"],
    changes: [{ file: "sync/matching/NotOurs.ts", from: "&& !isOfAmount(db, key)", to: "" }]
  },
  {
    name: "matching: several answers are saved as far as they can be",
    caughtBy: [STRANGERS, "is decided as it was shown"],
    changes: [
      {
        file: "sync/decisions/Together.ts",
        from: 'what === "none" ? isStranger(db, item.subject) : !needsOwn(db, item)',
        to: "!needsOwn(db, item) || isStranger(db, item.subject) || item.rule.length > 0"
      }
    ]
  },
  {
    name: "matching: one entry on account is all that its payer sends",
    caughtBy: [STRANGERS, "is asked about by the books' item alone"],
    changes: [{ file: "sync/matching/OnAccount.ts", from: " <= found.length", to: " > 0" }]
  },
  {
    name: "matching: what the books have on account is asked about twice",
    caughtBy: [STRANGERS, "is asked about by the books' item alone"],
    changes: [
      { file: "sync/matching/Report.ts", from: "until <= now && days > 0 &&", to: "until <= now && days < 0 &&" }
    ]
  },
  {
    name: "matching: a batch less one payment is the batch, however many the bank says",
    caughtBy: [BOOKED, "counts once where the bank says of how many it is"],
    changes: [{ file: "sync/matching/Booked.ts", from: "some.length === count + 1", to: "some.length >= count" }]
  },
  {
    name: "matching: what a bank took its fee of is free for a batch of its day",
    caughtBy: [BOOKED, "counts once where a bank took its fee of another payment"],
    changes: [
      {
        file: "sync/matching/Booked.ts",
        from: " || isFee(amount, BigInt(one))",
        to: ""
      }
    ]
  }
]
