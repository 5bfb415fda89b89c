/** Mistakes about references that invoices ask for in place of their numbers, each with the test that catches it. */
import type { UnitMutant } from "./unitMutants.ts"

const BOOKED = "test/sync/matching/Booked.test.ts"
const LOOK_ALIKES = "test/sync/matching/LookAlikes.test.ts"
const SAME_BY_NAME = "test/sync/matching/SameByName.test.ts"
const LEARNT = "test/sync/matching/MatchLearnt.test.ts"
const ASKED = "test/sync/matching/MatchAsked.test.ts"
const REFERENCES = "test/sync/matching/MatchReferences.test.ts"

export const MATCHING_BY_REFERENCES: ReadonlyArray<UnitMutant> = [
  {
    name: "matching: what a buyer is asked to write instead of the number is not known",
    caughtBy: [REFERENCES, "is, where its list states it as the invoice, or in a text with others' digits around it"],
    changes: [
      {
        file: "sync/matching/Lookups.ts",
        from: "referred.length === 1 ? [...all, ...referred] : all",
        to: "all"
      }
    ]
  },
  {
    name: "matching: a reference that several invoices have names the first of them",
    caughtBy: [REFERENCES, "is a customer's: which invoice, the amount says, or a person"],
    changes: [
      {
        file: "sync/matching/Lookups.ts",
        from: "referred.length === 1 ? [...all, ...referred] : all",
        to: "[...all, ...referred.slice(0, 1)]"
      }
    ]
  },
  {
    name: "matching: what an invoice asked for before decides on",
    caughtBy: [REFERENCES, "is decided again once no other invoice asks for exactly its amount any more"],
    changes: [
      {
        file: "sync/matching/Index.ts",
        from: "[next, ...(before === undefined ? [] : [before])].flatMap",
        to: "[next].flatMap"
      }
    ]
  },
  {
    name: "matching: an invoice that asks for another reference keeps what was paid with the first",
    caughtBy: [REFERENCES, "is, whichever was read first, and no longer once the invoice asks for another one"],
    changes: [{ file: "sync/matching/References.ts", from: "[now.reference, before.reference]", to: "[now.reference]" }]
  },
  {
    name: "matching: of several references that an invoice asks for only the first counts",
    caughtBy: [ASKED, "is paid by any of them, whatever is read"],
    changes: [
      { file: "sync/model/MatchText.ts", from: 'stated.split("\\n").map(', to: 'stated.split("\\n").slice(0, 1).map(' }
    ]
  },
  {
    name: "matching: an invoice keeps the references that it does not ask for any more",
    caughtBy: [ASKED, "is no longer paid by one that it does not ask for any more, nor by any once it is gone"],
    changes: [
      {
        file: "sync/state/tables/Matching.ts",
        from: "FROM asked WHERE connection",
        to: "FROM asked WHERE 0 AND connection"
      }
    ]
  },
  {
    name: "matching: what goes back of one of two payments that nothing tells apart follows the books' own",
    caughtBy: [LOOK_ALIKES, "a person says"],
    changes: [
      {
        file: "sync/matching/LookAlikes.ts",
        from: "if (amounts(wentBack(db, one.key)) === own) continue",
        to: "continue"
      }
    ]
  },
  {
    name: "matching: what a person says of what went back says nothing of its payment",
    caughtBy: [LOOK_ALIKES, "a person says"],
    changes: [
      { file: "sync/matching/Sightings.ts", from: "if (said !== undefined) return", to: "if (said === key) return" }
    ]
  },
  {
    name: "matching: a payment that waited for its twin waits for ever",
    caughtBy: [LOOK_ALIKES, "a person says"],
    changes: [{ file: "sync/matching/Joins.ts", from: "now?.leader, ...twins]", to: "now?.leader]" }]
  },
  {
    name: "matching: an invoice of what went back is paid before a person has said of which",
    caughtBy: [LOOK_ALIKES, "a person says"],
    changes: [{ file: "sync/plan/Blocking.ts", from: "[key, normal(number)", to: "[normal(number)" }]
  },
  {
    name: "matching: a link that may mean two invoices is asked about though only one is its customer's",
    caughtBy: [LOOK_ALIKES, "goes by its customer"],
    changes: [{ file: "sync/matching/Resolve.ts", from: "theirs.length === 1 ? theirs : found", to: "found" }]
  },
  {
    name: "movements: a link that may mean two invoices joins by the payer alone",
    caughtBy: [LOOK_ALIKES, "goes by its customer"],
    changes: [{ file: "sync/matching/Sightings.ts", from: "theirs.length === 1 ? theirs : []", to: "[]" }]
  },
  {
    name: "movements: what had gone back before the books had it is what they have",
    caughtBy: ["test/sync/movements/Movements.test.ts", "are not one that had gone back before the other's day"],
    changes: [{ file: "sync/movements/Join.ts", from: "(isSpent(edge) ? ORDER.length : 0)", to: "0" }]
  },
  {
    name: "movements: what the books have late is an older line, though a nearer one may come",
    caughtBy: ["test/sync/movements/Movements.test.ts", "are one that the books have late"],
    changes: [{ file: "sync/movements/Join.ts", from: "&& other.until >= own.date\n", to: "\n" }]
  },
  {
    name: "movements: what the books have is the nearest line, though another is reported there",
    caughtBy: ["test/sync/movements/Movements.test.ts", "are those that are reported where the books have them"],
    changes: [
      { file: "sync/movements/Join.ts", from: "isThere(edge) ? -0.5 : days > 0 ? 0.5 : 0", to: "days > 0 ? 0.5 : 0" }
    ]
  },
  {
    name: "movements: a fee is taken of whatever another list has",
    caughtBy: ["test/sync/movements/Limits.test.ts", "a payment that may be another list's waits"],
    changes: [
      {
        file: "sync/movements/Limits.ts",
        from: "|| listOf(more.key) === books",
        to: "|| listOf(more.key) !== less.key"
      }
    ]
  },
  {
    name: "matching: what nothing explains waits for books that had nothing of its list",
    caughtBy: [
      "test/sync/matching/WaitsForBooks.test.ts",
      "is asked about at once where the books had none of its list"
    ],
    changes: [
      { file: "sync/matching/Report.ts", from: "WHERE connection = ? AND booked = 1", to: "WHERE connection = ?" }
    ]
  },
  {
    name: "matching: what the books did not have in time is never asked about",
    caughtBy: ["test/sync/matching/WaitsForBooks.test.ts", "is asked about after 35 days"],
    changes: [
      {
        file: "sync/matching/Report.ts",
        from: "until !== undefined && until > now",
        to: "until !== undefined && until >= 0"
      }
    ]
  },
  {
    name: "matching: what goes back of a payment is not known where it is joined",
    caughtBy: [LOOK_ALIKES, "is not what the books have, whatever a person says of it"],
    changes: [{ file: "sync/matching/Sightings.ts", from: "...(returned === undefined ? {} : { returned }),", to: "" }]
  },
  {
    name: "movements: what a person says of a part is said of the whole payment",
    caughtBy: ["test/sync/matching/SameMoney.long.test.ts", "has its part of a payment for several"],
    changes: [
      { file: "sync/movements/Join.ts", from: "a.invoices.length > 1 === b.invoices.length > 1", to: "a.key !== b.key" }
    ]
  },
  {
    name: "matching: what went back of a payment that left its invoice holds that up for ever",
    caughtBy: [LOOK_ALIKES, "holds up nothing: nobody is asked about it"],
    changes: [
      { file: "sync/plan/Surroundings.ts", from: "m.was <> '' AND m.why IS NOT NULL AND", to: "m.was <> '' AND" }
    ]
  },
  {
    name: "matching: a payment goes to the invoice that its source calls open, though another of its amount is paid",
    caughtBy: [LOOK_ALIKES, "are a person's choice where a digit"],
    changes: [{ file: "sync/matching/HeldUp.ts", from: "openOf(one) === 0n", to: "openOf(one) === -1n" }]
  },
  {
    name: "matching: what another list has already is also what the books have of a transfer",
    caughtBy: [BOOKED, "of two such transfers, one is asked about"],
    changes: [
      { file: "sync/matching/Booked.ts", from: "one.invoice === invoice && one.amount === amount", to: "false" }
    ]
  },
  {
    name: "matching: a payment of the books that a person called another one is a part of a transfer",
    caughtBy: [BOOKED, "is asked about where the books do not have all of it"],
    changes: [
      { file: "sync/matching/Booked.ts", from: "unallocated !== 0n || isApart(row.key)", to: "unallocated !== 0n" }
    ]
  },
  {
    name: "matching: a transfer stays on what the books have, once they have it no more",
    caughtBy: [BOOKED, "is asked about again once the books take one of its payments away"],
    changes: [{ file: "sync/matching/Joins.ts", from: "return left\n  explain(db, document)\n", to: "return left\n" }]
  },
  {
    name: "matching: what goes back of a payment that was explained is forgotten",
    caughtBy: [BOOKED, "takes what goes back of it to the same invoices"],
    changes: [
      {
        file: "sync/matching/Limits.ts",
        from: "placeBack(db, later, { document, key, amount, back }, how, shares)",
        to: "void back"
      }
    ]
  },
  {
    name: "matching: whatever the books have nearly is what came in less a fee of a bank",
    caughtBy: [BOOKED, "is asked about where the books do not have all of it"],
    changes: [{ file: "sync/matching/Booked.ts", from: " && isFee(part.amount, amount) &&", to: " &&" }]
  },
  {
    name: "matching: a payment less a fee counts beside the books' own",
    caughtBy: [BOOKED, "counts once:"],
    changes: [{ file: "sync/movements/Limits.ts", from: "(isPart || isLess)", to: "isPart" }]
  },
  {
    name: "matching: of a payer whose name a bank cut, the books have nothing",
    caughtBy: [SAME_BY_NAME, "is what came from "],
    changes: [
      { file: "sync/matching/Sightings.ts", from: "payer.party, ...partiesOf(db, theirs)]", to: "payer.party]" }
    ]
  },
  {
    name: "matching: what a person said of a payer says nothing of what the books have",
    caughtBy: [SAME_BY_NAME, "is what came from somebody who pays for it"],
    changes: [
      {
        file: "sync/matching/Sightings.ts",
        from: "aliases: aliasesOf(memory.aliases, connection, payment)",
        to: "aliases: []"
      }
    ]
  },
  {
    name: "matching: a debit that was never received is a payment",
    caughtBy: [SAME_BY_NAME, "is nothing where the books do not have it"],
    changes: [
      {
        file: "sync/matching/Resolve.ts",
        from: "document.tried !== undefined && same",
        to: 'document.id === "" && same'
      }
    ]
  },
  {
    name: "matching: what was paid after a debit failed is that debit",
    caughtBy: [SAME_BY_NAME, "is nothing where the books do not have it, or have what was paid after"],
    changes: [{ file: "sync/movements/Join.ts", from: "=== true && isSpent({ a, b })", to: "=== true && a === b" }]
  },
  {
    name: "matching: two texts of one payer say nothing of a third",
    caughtBy: [LEARNT, "is of every kind once it was said of two texts"],
    changes: [{ file: "sync/matching/NotOurs.ts", from: "said.filter((one) => one !== ANY).length > 1 || ", to: "" }]
  },
  {
    name: "matching: what the books have of a debit that is pending is settled",
    caughtBy: [SAME_BY_NAME, "keeps the invoice from being marked as paid"],
    changes: [{ file: "sync/movements/OnInvoice.ts", from: 'tried === "pending" ?', to: "tried === undefined ?" }]
  },
  {
    name: "matching: nobody hears that a debit was confirmed",
    caughtBy: [SAME_BY_NAME, "keeps the invoice from being marked as paid"],
    changes: [
      {
        file: "sync/matching/Joins.ts",
        from: "for (const one of related(db, document)) decideAgain(db, one)",
        to: "for (const one of following(db, document)) decideAgain(db, one)"
      }
    ]
  },
  {
    name: "matching: what names a paid invoice in short pays another one of its amount",
    caughtBy: [
      "test/sync/matching/NamedInShort.test.ts",
      "is none where the number is that of an invoice which is paid: another of the amount is for a person"
    ],
    changes: [{ file: "sync/matching/Amounts.ts", from: "if (elsewhere !== undefined)", to: 'if (elsewhere === "")' }]
  },
  {
    name: "matching: a debit that had gone back is what the books have weeks later",
    caughtBy: [
      "test/sync/movements/Movements.test.ts",
      "are not one where a debit had gone back weeks before the books' day"
    ],
    changes: [
      {
        file: "sync/movements/Join.ts",
        from: "|| isSpent({ a, b })) return undefined",
        to: ") return undefined"
      }
    ]
  },
  {
    name: "matching: a person's number is taken for the id of another invoice",
    caughtBy: [
      "test/sync/matching/MatchLimits.test.ts",
      "is not what a person says where only the id is there: its invoice may not be readable"
    ],
    changes: [
      { file: "sync/matching/Choices.ts", from: "if (found[0] === byId && numbered.length === 0", to: "if (false" }
    ]
  }
]
