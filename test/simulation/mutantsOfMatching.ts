/** Mistakes about which invoice a payment is for, each with the test that catches it. */
import type { UnitMutant } from "./unitMutants.ts"

const PAYERS = "test/sync/matching/MatchPayers.test.ts"
const LEARNT = "test/sync/matching/MatchLearnt.test.ts"
const LIMITS = "test/sync/matching/MatchLimits.test.ts"

const SAME = "test/sync/matching/SameMoney.long.test.ts"

export const MATCHING: ReadonlyArray<UnitMutant> = [
  {
    name: "matching: an amount says which of two invoices a name means, though as much was paid of the other",
    caughtBy: ["test/sync/books/OwnLinks.test.ts", "that names"],
    changes: [
      {
        file: "sync/books/OwnLinks.ts",
        from: "exact.length === 1 && able.length === 1 && able[0] === one",
        to: "exact.length === 1 && able.includes(one)"
      }
    ]
  },
  {
    name: "matching: a payment that stops being the same as another list's loses its invoice",
    caughtBy: [SAME, "has again what is reported and was the same money as a payment that its books state no more"],
    changes: [
      {
        file: "sync/matching/Resolve.ts",
        from: '["", "none", "same", "payout", "tried"]',
        to: '["", "none", "payout", "tried"]'
      }
    ]
  },
  {
    name: "matching: what was left to pay is of another payment, whatever the whole of it is",
    caughtBy: [
      SAME,
      "has not what was left to pay of it besides, of a payment that the books have already and a person places on it"
    ],
    changes: [{ file: "sync/movements/Limits.ts", from: "fact.rest === undefined ?", to: "fact.rest !== 0n ?" }]
  },
  {
    name: "matching: what went back alike of two payments went back once",
    caughtBy: [SAME, "is open again by each of two that went back alike, of payments that are two"],
    changes: [{ file: "sync/movements/Limits.ts", from: "!areApart(one, other) &&", to: "" }]
  },
  {
    name: "matching: what the books return of a payment on another invoice is the same as what went back of this one's",
    caughtBy: [SAME, "is open by what went back of its own payment"],
    changes: [
      {
        file: "sync/movements/Limits.ts",
        from: "bothSay && first !== second",
        to: "bothSay && first !== undefined && second !== undefined && first !== second"
      }
    ]
  },
  {
    name: "matching: what went back is taken back on the service while its payment waits",
    caughtBy: ["test/sync/movements/Limits.test.ts", "what went back of it waits as well"],
    changes: [{ file: "sync/movements/Limits.ts", from: "isStanding(one, stands) || all.every(", to: "all.every(" }]
  },
  {
    name: "matching: a number of another customer's invoice is followed",
    caughtBy: [PAYERS, "gives way to the payer's own invoice of exactly the amount"],
    changes: [{ file: "sync/matching/ByText.ts", from: 'relationTo(db, theirs, invoice) === "foreign"', to: "false" }]
  },
  {
    name: "matching: another customer's invoice is paid in its exact amount",
    caughtBy: [PAYERS, "is for a person where the payer has none, a part or the whole of it"],
    changes: [
      {
        file: "sync/matching/ByText.ts",
        from: "if (foreign.some(({ invoice }) => invoice.open === minor || invoice.base === minor))",
        to: "if (foreign.length > 99)"
      }
    ]
  },
  {
    name: "matching: a payer that became a customer is not looked at again",
    caughtBy: [PAYERS, "also where the payer becomes a customer later"],
    changes: [
      { file: "sync/matching/Tables.ts", from: 'doubts: any(db, "matching WHERE doubt = 1")', to: "doubts: false" }
    ]
  },
  {
    name: "matching: a stranger pays a part of whatever it names",
    caughtBy: [PAYERS, "pays the whole of it, and a part only with a person"],
    changes: [{ file: "sync/matching/ByText.ts", from: 'relationTo(db, theirs, invoice) === "stranger"', to: "false" }]
  },
  {
    name: "matching: a part is taken though it is exactly another invoice's amount",
    caughtBy: [PAYERS, "is for a person where another invoice asks for exactly this amount"],
    changes: [{ file: "sync/matching/Rules.ts", from: "if (exact.length > 0)", to: "if (exact.length > 99)" }]
  },
  {
    name: "matching: a date is a number of an invoice",
    caughtBy: [PAYERS, "are no number of an invoice to a stranger"],
    changes: [
      {
        file: "sync/matching/ByText.ts",
        from: "const isOther = isDate(name.name, date) || isOtherNumber(text, name)",
        to: "const isOther = isOtherNumber(text, name)"
      }
    ]
  },
  {
    name: "matching: a customer's number is a number of an invoice",
    caughtBy: [PAYERS, "are no number of an invoice to a stranger"],
    changes: [
      {
        file: "sync/matching/ByText.ts",
        from: "const isOther = isDate(name.name, date) || isOtherNumber(text, name)",
        to: "const isOther = isDate(name.name, date)"
      }
    ]
  },
  {
    name: "matching: umlauts are written in one way only",
    caughtBy: [PAYERS, "is the same however a bank writes it"],
    changes: [{ file: "sync/model/PayerName.ts", from: '  Ü: "UE",', to: '  Ü: "U",' }]
  },
  {
    name: "matching: a legal form makes no difference",
    caughtBy: [PAYERS, "that differs in its legal form is another company's"],
    changes: [
      {
        file: "sync/model/PayerName.ts",
        from: 'a === b || a === "" || b === ""',
        to: 'a === b || a !== ""  || b === ""'
      }
    ]
  },
  {
    name: "matching: names of any length may be cut",
    caughtBy: [PAYERS, "is cut only at that length"],
    changes: [{ file: "sync/model/PayerName.ts", from: "left.length === CUT ||", to: "left.length > 20 ||" }]
  },
  {
    name: "matching: a typing error decides nothing",
    caughtBy: [PAYERS, "of one digit, or two that changed places"],
    changes: [{ file: "sync/matching/Amounts.ts", from: "if (typed.length > 0)", to: "if (typed.length < 0)" }]
  },
  {
    name: "matching: a decision about a payer replaces its own name",
    caughtBy: [LEARNT, "is added to its own name"],
    changes: [
      {
        file: "sync/matching/Whose.ts",
        from: "    if (how !== undefined && !isOther) return how\n",
        to: "    if (how !== undefined && !isOther && (aliases.get(payment.key) ?? []).length === 0) return how\n"
      }
    ]
  },
  {
    name: "matching: a decision about a payer counts for every account of its name",
    caughtBy: [LEARNT, "counts for its account"],
    changes: [
      {
        file: "sync/matching/Aliases.ts",
        from: "one.connection === connection && one.payer === payer",
        to: "one.connection === connection"
      }
    ]
  },
  {
    name: "matching: that a kind is for no invoice is not learnt",
    caughtBy: [LEARNT, "is settled, in a column of its own, and so is the next of its kind"],
    changes: [
      {
        file: "sync/matching/Choices.ts",
        from: "  if (customer === undefined) NotOurs.learn(",
        to: "  if (customers.size > 9) NotOurs.learn("
      }
    ]
  },
  {
    name: "matching: a customer's money is of a kind that is for no invoice",
    caughtBy: [LEARNT, "says nothing of a customer, who may owe the next one"],
    changes: [
      {
        file: "sync/matching/NotOurs.ts",
        from: "isAny()) &&\n    !isOfCustomer(db, connection, pays, payment)",
        to: "isAny())"
      }
    ]
  },
  {
    name: "matching: what is for no invoice counts as matched",
    caughtBy: [LEARNT, "is settled, in a column of its own, and so is the next of its kind"],
    changes: [
      {
        file: "sync/reconciliation/PaymentStatement.ts",
        from: "matched: say(matched - none - payouts)",
        to: "matched: say(matched - payouts)"
      }
    ]
  },
  {
    name: "matching: a part of a converted payment goes back in its own currency",
    caughtBy: [LEARNT, "is for as much of it as a person says, in the invoice's currency"],
    changes: [
      { file: "sync/matching/Place.ts", from: "payment.converted === true && amount !== payment.amount", to: "false" }
    ]
  },
  {
    name: "matching: a return follows its trace to whatever invoice",
    caughtBy: ["test/sync/matching/MatchTraces.long.test.ts", "names another invoice than its payment is for"],
    changes: [{ file: "sync/matching/Place.ts", from: "  if (said.length === 0 ||", to: "  if (said.length >= 0 ||" }]
  },
  {
    name: "matching: a discount is taken however late",
    caughtBy: [LIMITS, "is taken up to its percentage and day"],
    changes: [
      {
        file: "sync/matching/Sums.ts",
        from: "Day.toEpochMillis(issued as Day.Day) + days * MS_PER_DAY",
        to: "Day.toEpochMillis(issued as Day.Day) + 99 * days * MS_PER_DAY"
      }
    ]
  },
  {
    name: "matching: two payments take a discount of one invoice",
    caughtBy: [LIMITS, "that two payments may have taken of one invoice is for a person"],
    changes: [{ file: "sync/matching/Limits.ts", from: "wanted.get(key) === 1", to: "wanted.get(key) !== 0" }]
  },
  {
    name: "matching: later payments do not wait for an unexplained one",
    caughtBy: [LIMITS, "waits while an earlier payment of the payer is unexplained"],
    changes: [
      { file: "sync/matching/Limits.ts", from: "    isWaiting = isWaiting || (!isCertain && !isNaming(row))\n", to: "" }
    ]
  },
  {
    name: "matching: the first of two sets that add up is taken",
    caughtBy: [LIMITS, "are up to as many as was written down, if only one set"],
    changes: [
      {
        file: "sync/matching/Sums.ts",
        from: "only === undefined || another !== undefined ? undefined",
        to: "only === undefined ? undefined"
      }
    ]
  },
  {
    name: "matching: of equal invoices the oldest is paid without asking",
    caughtBy: ["test/sync/matching/Undesignated.test.ts", "are asked about, or the oldest is paid first"],
    changes: [
      {
        file: "sync/matching/Amounts.ts",
        from: "if (!oldest || returned || decided.has(key)) continue",
        to: "if (returned || decided.has(key)) continue"
      }
    ]
  },
  {
    name: "matching: equal payments for as many equal invoices are asked about",
    caughtBy: ["test/sync/matching/Undesignated.test.ts", "are all paid where as many payments came"],
    changes: [
      {
        file: "sync/matching/Amounts.ts",
        from: "    if (able === undefined) continue\n",
        to: "    if (able !== null) continue\n"
      }
    ]
  },
  {
    name: "matching: a link goes to the invoice with that id, whatever has that number",
    caughtBy: [LIMITS, "means the one whose customer and open amount fit"],
    changes: [
      { file: "sync/matching/Lookups.ts", from: "return row.number === number ? []", to: 'return number !== "" ? []' }
    ]
  },
  {
    name: "matching: a bank's line takes back a payment by any number of its text",
    caughtBy: [
      "test/sync/matching/MatchTraces.long.test.ts",
      "waits for a person where that is another amount, went back already, or it names no invoice"
    ],
    changes: [
      {
        file: "sync/matching/Traces.ts",
        from: "!weak && (collected !== undefined || numbered.get({ pays, name }) !== undefined)",
        to: "!weak && (collected !== undefined || numbered !== undefined)"
      }
    ]
  },
  {
    name: "an invoice is marked as paid though money went back that may be its own",
    caughtBy: ["test/sync/reconciliation/Returned.test.ts", "is not marked as paid, and is once that is gone"],
    changes: [
      { file: "sync/rules/Closing.ts", from: "if (back !== undefined) return", to: "if (back === facts.key) return" }
    ]
  },
  {
    name: "what went back of a payment stays unplaced if another list's payment of the same money is placed later",
    caughtBy: ["test/sync/matching/Followed.test.ts", "follows it"],
    changes: [
      {
        file: "sync/matching/Place.ts",
        from: "if (hasMoved && later.areJoined())",
        to: "if (hasMoved && !later.areJoined())"
      }
    ]
  },
  {
    name: "what went back stays where its payment was, after the books moved that",
    caughtBy: [
      "test/sync/matching/SameMoney.long.test.ts",
      "is open again by what went back, where the books moved the payment to another invoice since"
    ],
    changes: [
      {
        file: "sync/matching/Joins.ts",
        from: "for (const one of related(db, document)) decideAgain(db, one)",
        to: "for (const one of related(db, document)) void one"
      }
    ]
  },
  {
    name: "money that waits on a void invoice is nobody's",
    caughtBy: [
      "test/sync/rules/PaymentsOfOthers.test.ts",
      "is somebody's on an invoice that is void as well, though what its books have of it was returned"
    ],
    changes: [{ file: "sync/rules/OrphanMoney.ts", from: "[...own, ...waiting, ", to: "[...own, " }]
  },
  {
    name: "a kind of payment that is for no invoice hides what a new customer pays",
    caughtBy: ["test/sync/matching/MatchLearnt.test.ts", "is asked about again once its payer is a customer"],
    changes: [{ file: "sync/matching/Groups.ts", from: "{ whole, doubt: true }", to: "{ whole }" }]
  }
]
