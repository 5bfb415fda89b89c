/** Mistakes about references that invoices ask for in place of their numbers, each with the test that catches it. */
import type { UnitMutant } from "./unitMutants.ts"

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
    changes: [
      { file: "sync/matching/References.ts", from: ", before.number, before.reference]", to: ", before.number]" }
    ]
  }
]
