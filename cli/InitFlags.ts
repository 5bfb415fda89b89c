/** Defines the flags of `daybook init`: the answers that a person would give at the terminal. */
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { PAYMENT_STATES } from "../connectors/tabular/PaymentStates.ts"
import type { SetupAnswers } from "../sync/library/FirstConfiguration.ts"
import { UsageError } from "../sync/library/Exit.ts"
import * as Flags from "./Flags.ts"

export const flags = {
  yes: Flags.yes("yes", "Accept what was decided, and the suggestions"),
  force: Flags.yes("force", "Overwrite an existing configuration"),
  add: Flags.yes("add", "Add a connection to the existing configuration; the rest of the file is not changed"),
  name: Flags.text("name", "NAME", "The seller's name"),
  id: Flags.text("id", "ID", "The connection's id (books)"),
  currency: Flags.text("currency", "CODE", "Currency of amounts whose file does not say it, like EUR"),
  dates: Flags.oneOf("dates", ["day-first", "month-first"], "How to read dates that are ambiguous"),
  decimal: Flags.oneOf("decimal", [".", ","], "The decimal sign, if the amounts are ambiguous"),
  termsDays: Flag.Int("terms-days").pipe(
    Flag.withDescription("Days from issue to due date, for invoices without a due date (30)"),
    Flag.withMetavar("NUMBER"),
    Flag.optional
  ),
  timeZone: Flags.text("time-zone", "ZONE", "The seller's time zone, for times with a zone of their own"),
  country: Flags.text("country", "CODE", "Country of customers for whom no column has one"),
  preset: Flags.text("preset", "NAME", "Read the files as exports of this program, whatever their headings look like"),
  kind: Flags.several(
    "kind",
    "FILE=KIND",
    "What a file holds: invoices, payments, credit_notes, orders, statement, or nothing to be read"
  ),
  column: Flags.several("column", "FIELD=HEADING", "Which column is which, like gross=Total or payments.id=Ref"),
  status: Flags.several(
    "status",
    "TEXT=STATE",
    "What a state means: draft, open, paid or void; of orders open, closed or cancelled; of payments received, pending, failed, refunded or charged_back"
  ),
  type: Flags.several(
    "type",
    "TEXT=TYPE",
    "What the rows of a type are: invoice, credit_note, payment, refund, or left_out"
  ),
  leftOut: Flags.several("left-out", "HEADING=yes|no", "Whether the rows that a column marks are left out"),
  added: Flags.several("added", "HEADING=plus|minus|no", "Whether an amount is added to net and tax"),
  unit: Flags.several("unit", "HEADING=whole|hundredths|thousands", "The units in which amounts are written"),
  direction: Flags.several(
    "direction",
    "TEXT=in|out|neither",
    "Which way money went, by the text that a column has for it"
  ),
  repeated: Flags.oneOf("repeated", ["lines", "versions"], "What rows of one number with other amounts are"),
  numbers: Flags.oneOf(
    "numbers",
    ["anew", "same"],
    "Whether invoices of one number in two files are two, because numbers begin anew in each, or the newer one is right"
  ),
  received: Flags.oneOf(
    "received",
    ["yes", "no"],
    "Whether all money of a statement was received, if nothing in it says which way it went"
  ),
  headless: Flags.oneOf(
    "headless",
    ["yes", "no"],
    "Whether the columns of a file without headings are as its contents suggest"
  ),
  currencyOf: Flags.several("currency-of", "SIGN=CODE", "Which currency a sign or name is, like $=CAD"),
  set: Flags.several(
    "set",
    "SETTING=VALUE",
    "A setting of a source other than tables, like shop=my-shop, or prepaid=deduct of electronic invoices"
  ),
  service: Flags.text("service", "URL", "The service's address (the sandbox's, http://127.0.0.1:4010)")
} as const

type Given = {
  readonly [Name in "name" | "id" | "currency" | "timeZone" | "country" | "preset"]: Option.Option<string>
} & {
  readonly dates: Option.Option<"day-first" | "month-first">
  readonly decimal: Option.Option<"." | ",">
  readonly termsDays: Option.Option<number>
  readonly kind: ReadonlyArray<string>
  readonly column: ReadonlyArray<string>
  readonly status: ReadonlyArray<string>
  readonly type: ReadonlyArray<string>
  readonly leftOut: ReadonlyArray<string>
  readonly added: ReadonlyArray<string>
  readonly unit: ReadonlyArray<string>
  readonly direction: ReadonlyArray<string>
  readonly repeated: Option.Option<"lines" | "versions">
  readonly numbers: Option.Option<"anew" | "same">
  readonly received: Option.Option<"yes" | "no">
  readonly headless: Option.Option<"yes" | "no">
  readonly currencyOf: ReadonlyArray<string>
  readonly set: ReadonlyArray<string>
}

const KINDS = ["invoices", "payments", "credit_notes", "orders", "statement", "nothing"]
const STATES = ["draft", "open", "paid", "void", "closed", "cancelled", ...PAYMENT_STATES]
const TYPES = ["invoice", "credit_note", "payment", "refund", "left_out"]

/** Parses `A=B` into an entry; splits at the last `=`, because headings and states may contain one. */
const pairs = (flag: string, all: ReadonlyArray<string>, values?: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const found: Record<string, string> = {}
    for (const one of all) {
      const at = flag === "--column" || flag === "--set" ? one.indexOf("=") : one.lastIndexOf("=")
      const [name, value] = [one.slice(0, Math.max(0, at)), one.slice(at + 1)]
      if (name === "" || value === "" || (values !== undefined && !values.includes(value)))
        return yield* new UsageError({
          why: `${flag} ${one}: write NAME=VALUE${values === undefined ? "" : `, where VALUE is one of ${values.join(", ")}`}`
        })
      found[name] = value
    }
    return found
  })

export const answersOf = (given: Given): Effect.Effect<SetupAnswers, UsageError> =>
  Effect.gen(function* () {
    const maybe = <A>(name: string, value: Option.Option<A>) => (Option.isSome(value) ? { [name]: value.value } : {})
    const dates = Option.map(given.dates, (order) => order.replace("-", " "))
    return {
      ...maybe("name", given.name),
      ...maybe("id", given.id),
      ...maybe("currency", given.currency),
      ...maybe("time_zone", given.timeZone),
      ...maybe("country", given.country),
      ...maybe("preset", given.preset),
      ...maybe("dates", dates),
      ...maybe("decimal", given.decimal),
      ...maybe("terms_days", given.termsDays),
      kinds: (yield* pairs("--kind", given.kind, KINDS)) as NonNullable<SetupAnswers["kinds"]>,
      ...maybe("repeated", given.repeated),
      ...maybe("numbers", given.numbers),
      ...maybe("received", given.received),
      ...maybe("headless", given.headless),
      types: (yield* pairs("--type", given.type, TYPES)) as NonNullable<SetupAnswers["types"]>,
      directions: (yield* pairs("--direction", given.direction, ["in", "out", "neither"])) as NonNullable<
        SetupAnswers["directions"]
      >,
      left_out: (yield* pairs("--left-out", given.leftOut, ["yes", "no"])) as NonNullable<SetupAnswers["left_out"]>,
      added: (yield* pairs("--added", given.added, ["plus", "minus", "no"])) as NonNullable<SetupAnswers["added"]>,
      units: (yield* pairs("--unit", given.unit, ["whole", "hundredths", "thousands"])) as NonNullable<
        SetupAnswers["units"]
      >,
      currencies: yield* pairs("--currency-of", given.currencyOf),
      columns: yield* pairs("--column", given.column),
      ...(given.set.length === 0 ? {} : { set: yield* pairs("--set", given.set) }),
      statuses: (yield* pairs("--status", given.status, STATES)) as NonNullable<SetupAnswers["statuses"]>
    }
  })
