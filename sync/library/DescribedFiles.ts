/**
 * Files that describe themselves in a first configuration: electronic invoices, and ledgers that the law prescribes. Electronic
 * invoices have due dates and no payments, ledgers have payments and no due dates: together, each gives what it has.
 */
import { basename, dirname } from "node:path"
import { plural } from "../../core/Plural.ts"
import type { SetupAnswers } from "../setup/Answers.ts"
import type { SetupDecision, SetupQuestion } from "../setup/Tables.ts"

export interface Described {
  /** Paths for the configuration. */
  readonly einvoice: ReadonlyArray<string>
  readonly ledger: ReadonlyArray<string>
  /** Who issued the electronic invoices, the one of most first; `isShared`: a folder with purchases, too. */
  readonly issuers?: { readonly names: ReadonlyArray<string>; readonly isShared: boolean }
}

export interface DescribedSources {
  /** What has the invoices, if tables have none. */
  readonly invoices?: object
  /** Their payments, from a ledger. */
  readonly payments?: object
  readonly decisions: ReadonlyArray<SetupDecision>
  readonly questions: ReadonlyArray<SetupQuestion>
}

/** Days from issue to due date, unless somebody says otherwise. */
const DAYS = 30

/** The file, with next year's beside it; or the folder of several. */
const pathOf = (paths: ReadonlyArray<string>): string => {
  const [first = "."] = paths
  if (paths.length > 1) return folderOf(paths)
  const [, company] = /^(\d{9}FEC)\d{8}/i.exec(basename(first)) ?? []
  return company === undefined ? first : first.replace(basename(first), `${company}*`)
}

/** The folder that all are in; where there is one invoice, the next one comes beside it. */
const folderOf = (paths: ReadonlyArray<string>): string => {
  const parts = paths.map((path) => dirname(path).split("/"))
  const [one = []] = parts
  const same = one.findIndex((part, n) => parts.some((other) => other[n] !== part))
  return (same < 0 ? one : one.slice(0, same)).join("/") || "."
}

/** The settings that say what such files leave open, apart from those that have a flag of their own. */
export const LEFT_OPEN = {
  einvoice: ["prepaid", "corrected_invoices", "negative_credit_notes", "withheld"],
  ledger: ["foreign"]
}

const given = (connector: keyof typeof LEFT_OPEN, { set = {} }: SetupAnswers) =>
  Object.fromEntries(Object.entries(set).filter(([name]) => LEFT_OPEN[connector].includes(name)))

export const sourcesOf = (
  { einvoice, issuers, ledger }: Described,
  answers: SetupAnswers,
  hasInvoices: boolean
): DescribedSources => {
  const terms = answers.terms_days
  const decisions = [
    ...(einvoice.length === 0
      ? []
      : [{ what: plural(einvoice.length, "electronic invoice"), because: "by the first element of each file" }]),
    ...ledger.map((file) => ({ file, what: "a ledger file", because: "it begins like one" }))
  ]
  const country = answers.country === undefined ? {} : { country: answers.country }
  const isBeside = hasInvoices || einvoice.length > 0
  const isAsked = ledger.length > 0 && !isBeside
  const books = {
    connector: "ledger",
    path: pathOf(ledger),
    ...(isBeside ? { only: "payments" } : { terms_days: terms ?? DAYS, ...country }),
    ...given("ledger", answers)
  }
  const issued = {
    connector: "einvoice",
    path: folderOf(einvoice),
    ...(issuers?.isShared === true && answers.name !== undefined && issuers.names.includes(answers.name)
      ? { seller: [answers.name] }
      : {}),
    ...(terms === undefined ? {} : { terms_days: terms }),
    ...given("einvoice", answers)
  }
  return {
    ...(einvoice.length > 0 && !hasInvoices ? { invoices: issued } : isAsked ? { invoices: books } : {}),
    ...(ledger.length > 0 && isBeside ? { payments: books } : {}),
    decisions: [
      ...decisions,
      ...(einvoice.length > 0 && hasInvoices
        ? [
            {
              what: "electronic invoices left out",
              because: "tables have the invoices; without them, name these files alone"
            }
          ]
        : []),
      ...(einvoice.length > 0 && !hasInvoices && terms === undefined
        ? [{ what: "due as each invoice says", because: "for those that do not, set --terms-days NUMBER" }]
        : []),
      ...(ledger.length > 0 && isBeside
        ? [{ what: "payments from the ledger", because: "the invoices are in other files, which have their due dates" }]
        : []),
      ...(isAsked && terms !== undefined ? [{ what: `due ${terms} days after issue`, because: "as was said" }] : [])
    ],
    questions:
      isAsked && terms === undefined
        ? [
            {
              answer: "terms_days",
              flag: "--terms-days NUMBER",
              what: "days until invoices are due",
              ask: `How many days after issue are the invoices of ${ledger[0]} due? A ledger file does not say it.`,
              suggestion: String(DAYS)
            }
          ]
        : []
  }
}
