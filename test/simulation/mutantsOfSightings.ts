/** Mistakes about which payments of several lists are one, and about whom is asked when, each with the test that catches it. */
import type { UnitMutant } from "./unitMutants.ts"

const BOOKED = "test/sync/matching/Booked.test.ts"
const LIMITS = "test/sync/movements/Limits.test.ts"
const MOVEMENTS = "test/sync/movements/Movements.test.ts"
const MATCH_LIMITS = "test/sync/matching/MatchLimits.test.ts"
const SAME = "test/sync/decisions/SameTakenBack.test.ts"
const STRANGERS = "test/sync/matching/Strangers.test.ts"

export const SIGHTINGS: ReadonlyArray<UnitMutant> = [
  {
    name: "matching: the oldest of equal invoices is not paid where it was due long ago",
    caughtBy: ["test/sync/matching/Undesignated.test.ts", "are paid from the oldest on, however long that was due"],
    changes: [
      {
        file: "sync/matching/Amounts.ts",
        from: "(oldest ? date >= invoice.issued : isWithin(invoice, date, days))",
        to: "(oldest ? isWithin(invoice, date, days) : isWithin(invoice, date, days))"
      }
    ]
  },
  {
    name: "matching: a date is a typing error in the number of an invoice",
    caughtBy: [
      "test/sync/matching/Undesignated.test.ts",
      "are not told apart by a date that is nearly the number of one"
    ],
    changes: [
      {
        file: "sync/matching/Amounts.ts",
        from: "payment.said.filter((name) => !isDate(name, date))",
        to: 'payment.said.filter((name) => !isDate(name, date) || name !== "")'
      }
    ]
  },
  {
    name: "matching: what another payment names and waits is paid by one of its amount",
    caughtBy: [
      "test/sync/matching/Undesignated.test.ts",
      "are asked about where another payment names the only one and waits"
    ],
    changes: [
      {
        file: "sync/matching/Amounts.ts",
        from: "able.filter((key) => !claimed.has(key))",
        to: 'able.filter((key) => !claimed.has(key) || key !== "")'
      }
    ]
  },
  {
    name: "movements: what the books have late moves what is reported elsewhere",
    caughtBy: [MOVEMENTS, "are in doubt where what the books have late would move it"],
    changes: [
      {
        file: "sync/movements/Join.ts",
        from: "const isSure = isTold(a, b) && (isNamed || !leavesIt(a, b))",
        to: "const isSure = isTold(a, b)"
      }
    ]
  },
  {
    name: "movements: what the books have is another payment than the one of which it is a part",
    caughtBy: [MOVEMENTS, "are not one by the payer where another payment for several invoices has exactly"],
    changes: [
      {
        file: "sync/movements/Join.ts",
        from: "if (!isNamed && (a.inPart ?? b.inPart) === true) return undefined",
        to: "if (!isNamed && days < 0) return undefined"
      }
    ]
  },
  {
    name: "matching: the number of an invoice that was issued later is taken as it is",
    caughtBy: [
      "test/sync/matching/IssuedLater.test.ts",
      "is a typing mistake where the payer owed exactly the amount by then"
    ],
    changes: [
      {
        file: "sync/matching/ByText.ts",
        from: "own.every(({ invoice }) => invoice.issued > said.date)",
        to: "own.every(({ invoice }) => invoice.issued < said.date && false)"
      }
    ]
  },
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
    changes: [{ file: "sync/movements/Join.ts", from: "isSure || (isMost(own) && isThere({ a, b }))", to: "isSure" }]
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
  },
  {
    name: "movements: what names the invoice is the books' payment, though it came after their day",
    caughtBy: [MOVEMENTS, "are those of the books' day rather than what came after it"],
    changes: [
      { file: "sync/movements/Join.ts", from: 'how === "invoice" && isBefore ? 1.2', to: "isBefore && days < 0 ? 1.2" }
    ]
  },
  {
    name: "movements: a debit of days after the books' day is what they have, rather than the one that failed",
    caughtBy: [MOVEMENTS, "are not one that had gone back before the other's day"],
    changes: [{ file: "sync/movements/Join.ts", from: "(lag(a, b) < EARLIEST ? 2 * ORDER.length : 0)", to: "0" }]
  },
  {
    name: "movements: an invoice that cannot have both has a late part twice",
    caughtBy: [LIMITS, "a part of a payment for several is the books' payment"],
    changes: [{ file: "sync/movements/Limits.ts", from: "(isLess || isMost || ", to: "(isLess || " }]
  },
  {
    name: "matching: any others of the payer are what a number in short means",
    caughtBy: [MATCH_LIMITS, "are those that make up the amount"],
    changes: [{ file: "sync/matching/Proposals.ts", from: "number.endsWith(end)", to: "number.length > end.length" }]
  },
  {
    name: "matching: an invoice that one payment names is another's that names none",
    caughtBy: [MATCH_LIMITS, "are not taken for another payment that names none"],
    changes: [{ file: "sync/matching/Limits.ts", from: "!named.has(key)", to: "!named.has(key) || key.length > 0" }]
  },
  {
    name: "matching: of two invoices that are as good, the oldest is taken without a limit that says so",
    caughtBy: [MATCH_LIMITS, "are asked about where two are as good"],
    changes: [
      { file: "sync/matching/Limits.ts", from: '(undesignated === "oldest" || areTold(parts, open))', to: "true" }
    ]
  },
  {
    name: "matching: what was explained stays, though one of its invoices is paid otherwise",
    caughtBy: [MATCH_LIMITS, "are left where one is paid otherwise"],
    changes: [{ file: "sync/matching/Limits.ts", from: " OR m.how = 'amount' OR", to: " OR" }]
  },
  {
    name: "decisions: that two payments are apart is forgotten where both are reported, and nobody is asked again",
    caughtBy: [SAME, "that they are not, after both were reported"],
    changes: [
      { file: "sync/decisions/Movements.ts", from: "both !== undefined && !same", to: "both !== undefined && false" }
    ]
  },
  {
    name: "movements: customers of one name are one payer, whatever their legal forms",
    caughtBy: [MOVEMENTS, "are not one where two of the same name have other legal forms"],
    changes: [{ file: "sync/movements/Join.ts", from: "a.form !== b.form", to: "a.form === undefined" }]
  },
  {
    name: "matching: a bank's line for many is somebody's, once a person said whose one of them was",
    caughtBy: [BOOKED, "counts once where the bank says of how many it is"],
    changes: [
      { file: "sync/matching/Choices.ts", from: "countIn(textOf(document)) === 0 && ", to: "" },
      { file: "sync/matching/Limits.ts", from: "names.size === 1 || countIn(text) > 0", to: "names.size === 1" }
    ]
  },
  {
    name: "matching: what names an invoice that another payment has by its amount moves on with each new one",
    caughtBy: ["test/sync/matching/MatchInstead.test.ts", "leaves the next one of that amount to it"],
    changes: [
      {
        file: "sync/matching/Limits.ts",
        from: "AND NOT (m.free = 0 AND EXISTS (SELECT 1 FROM standing s WHERE s.payment = d.key AND s.kept = 1))",
        to: ""
      },
      { file: "sync/matching/ByText.ts", from: " || isHeldByAmount(db, of, name.name)", to: "" }
    ]
  }
]
