/** `daybook match debtors`: debtors that the service could not match, and the companies that they may be. */
import { Effect, Option, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import { Client } from "../../core/Client.ts"
import { nearest } from "../../core/Nearest.ts"
import { CompanyId } from "../../core/wire/Ids.ts"
import { isCalled } from "../../sync/model/Connection.ts"
import type { StateError, Db } from "../../sync/state/Database.ts"
import * as Decisions from "../../sync/decisions/Debtors.ts"
import * as Debtors from "../../sync/reports/Debtors.ts"
import type { Configuration } from "../../sync/library/config/Configuration.ts"
import { ATTENTION, Exit, UsageError } from "../../sync/library/Exit.ts"
import * as CommandContext from "../CommandContext.ts"
import * as Flags from "../Flags.ts"
import * as ServiceClient from "../../sync/library/ServiceClient.ts"
import { payers } from "./matchPayers.ts"
import { payments } from "./matchPayments.ts"
import * as View from "../render/DebtorView.ts"
import { plural } from "../../core/Plural.ts"

/** For how many debtors candidates are searched at once; each costs one request. */
const SEARCHED = 20

const who = Argument.String("debtor").pipe(
  Argument.withDescription("A name or the source's id, as listed by daybook match")
)
const connection = Flags.text("connection", "ID", "Only this connection")

const all = (db: Db, { connections }: Configuration, only: Option.Option<string>, chosen: boolean) =>
  connections
    .filter((one) => Option.isNone(only) || isCalled(only.value, one))
    .flatMap(({ id }) => Debtors.list(db, id, { chosen }))

/** The matching debtor; if there is none, or several, the error lists them. */
const find = (
  db: Db,
  configuration: Configuration,
  text: string,
  only: Option.Option<string>
): Effect.Effect<Debtors.Debtor, StateError | UsageError> =>
  Effect.gen(function* () {
    const debtors = yield* db.read(() => [
      ...all(db, configuration, only, false),
      ...all(db, configuration, only, true)
    ])
    const wanted = text.toLowerCase()
    const found = debtors.filter(({ name, party }) => party === text || name.toLowerCase() === wanted)
    const [first, second] = found
    if (first === undefined) {
      const meant = nearest(
        text,
        debtors.map(({ name }) => name)
      )
      return yield* new UsageError({
        why: `there is no debtor ${JSON.stringify(text)} without a company${meant === undefined ? "; daybook match lists them" : `; did you mean ${JSON.stringify(meant)}?`}`
      })
    }
    if (second !== undefined) {
      const names = found.map(({ connection, party }) => `${JSON.stringify(party)} of ${connection}`).join(", ")
      return yield* new UsageError({
        why: `${JSON.stringify(text)} matches more than one debtor: ${names}; use the quoted id, with --connection`
      })
    }
    return first
  })

const emitted = ({ chosen, ...debtor }: Debtors.Debtor) => ({ type: "debtor", ...debtor, company: chosen })

const listAll = Effect.fn(function* ({ chosen, connection }: { connection: Option.Option<string>; chosen: boolean }) {
  const out = yield* CommandContext.output
  const configuration = yield* CommandContext.configuration
  yield* CommandContext.inState("read", "match", function* (db) {
    const debtors = yield* db.read(() => all(db, configuration, connection, chosen))
    if (chosen) {
      for (const debtor of debtors) yield* out.emit(emitted(debtor))
      yield* out.emit({ type: "summary", debtors: debtors.length })
      return yield* out.say(debtors.length === 0 ? "Nobody has chosen a company yet." : View.chosen(debtors, out))
    }
    const rows: Array<View.Row> = []
    for (const [n, debtor] of debtors.entries()) {
      const searched = n < SEARCHED || out.json
      yield* out.tick(`Searching companies, ${n + 1} of ${debtors.length}`)
      const companies = searched
        ? yield* Debtors.candidates(debtor).pipe(Effect.provide(ServiceClient.client(configuration)))
        : undefined
      rows.push({ debtor, companies })
      yield* out.emit({ ...emitted(debtor), candidates: (companies ?? []).map(View.candidate) })
    }
    yield* out.clear
    yield* out.emit({ type: "summary", debtors: debtors.length })
    if (debtors.length === 0) return yield* out.say("The service recognised every debtor.")
    yield* out.say(View.list(rows, out))
    // Where the service has no company of that name in that country, nobody can do anything.
    const waits = ({ companies, debtor }: View.Row) => companies?.length !== 0 || debtor.country === null
    if (rows.some(waits)) yield* new Exit({ status: ATTENTION })
  })
})

const flags = {
  connection,
  chosen: Flags.yes("chosen", "List debtors with a chosen company instead")
}

const list = Command.make("list", flags, listAll).pipe(
  CommandContext.help(
    "List the debtors that the service could not identify, with the most likely company for each",
    undefined,
    "daybook match debtors list --chosen # What was chosen so far"
  )
)

const show = Command.make(
  "show",
  { who, connection },
  Effect.fn(function* ({ connection, who }) {
    const out = yield* CommandContext.output
    const configuration = yield* CommandContext.configuration
    yield* CommandContext.inState("read", "match", function* (db) {
      const debtor = yield* find(db, configuration, who, connection)
      const companies = yield* Debtors.candidates(debtor).pipe(Effect.provide(ServiceClient.client(configuration)))
      yield* out.emit({ ...emitted(debtor), candidates: companies.map(View.candidate) })
      yield* out.say(View.one(debtor, companies, out))
    })
  })
).pipe(
  CommandContext.help(
    "Show one debtor and every company that it may be",
    undefined,
    "daybook match debtors show 'Harbour Tea' # By its name"
  )
)

const choose = Command.make(
  "choose",
  {
    who,
    company: Argument.String("company").pipe(Argument.withDescription("The company's id on the service, co-…")),
    connection
  },
  Effect.fn(function* ({ company, connection, who }) {
    const out = yield* CommandContext.output
    const configuration = yield* CommandContext.configuration
    yield* CommandContext.inState("decide", "match", function* (db) {
      const debtor = yield* find(db, configuration, who, connection)
      const id = yield* Schema.decodeEffect(CompanyId)(company).pipe(
        Effect.mapError(
          () =>
            new UsageError({
              why: `${JSON.stringify(company)} is not a company id; company ids begin with "co-", and daybook match debtors show ${JSON.stringify(who)} lists them`
            })
        )
      )
      const found = yield* Effect.gen(function* () {
        const { companies } = yield* Client
        return yield* companies.get({ params: { company_id: id } })
      }).pipe(
        Effect.provide(ServiceClient.client(configuration)),
        Effect.mapError((error) =>
          error._tag === "ServiceError" && error.reason._tag === "NotFound"
            ? new UsageError({ why: `the service has no company ${company}` })
            : error
        )
      )
      const invoices = yield* Decisions.match(configuration.connections, debtor, id)
      yield* out.emit({ type: "match", connection: debtor.connection, party: debtor.party, company: id, invoices })
      yield* out.say(
        `${debtor.name} is ${found.name} (${id}) from now on. ${plural(invoices, "invoice")} will be updated by the next daybook apply or sync.`
      )
    })
  })
).pipe(
  CommandContext.help(
    "Choose the company of a debtor. The choice applies to its existing invoices and to every later one.",
    "Choose the company of a debtor",
    "daybook match debtors choose 'Harbour Tea' co-1a2b3c # Choose this company"
  )
)

const forget = Command.make(
  "forget",
  { who, connection },
  Effect.fn(function* ({ connection, who }) {
    const out = yield* CommandContext.output
    const configuration = yield* CommandContext.configuration
    yield* CommandContext.inState("decide", "match", function* (db) {
      const debtor = yield* find(db, configuration, who, connection)
      if (debtor.chosen === null)
        return yield* new UsageError({ why: `nothing to undo: no company was chosen for ${debtor.name}` })
      const invoices = yield* Decisions.match(configuration.connections, debtor, null)
      yield* out.emit({ type: "match", connection: debtor.connection, party: debtor.party, company: null, invoices })
      yield* out.say(
        `The company chosen for ${debtor.name} was removed; ${plural(invoices, "invoice")} will be sent with the debtor's name.`
      )
    })
  })
).pipe(
  CommandContext.help(
    "Undo a choice: the debtor is sent by its name again",
    undefined,
    "daybook match debtors forget 'Harbour Tea' # The choice was wrong"
  )
)

const debtors = Command.make("debtors", flags, listAll).pipe(
  CommandContext.help(
    "Debtors in the books that the service could not identify as a company. Each is listed with the companies that the service's search finds; a choice applies to later invoices too. Exit status 3 while there are any.",
    "Debtors that the service could not identify",
    "daybook match debtors # List them",
    "daybook match debtors choose 'Harbour Tea' co-1a2b3c # Choose the company of one"
  ),
  Command.withSubcommands([list, show, choose, forget])
)

export const match = Command.make("match").pipe(
  CommandContext.help(
    "Match what only a person can: debtors with the service's companies, and payments with invoices.",
    "Match debtors and payments",
    "daybook match debtors # Debtors that the service could not identify",
    "daybook match payers # What decisions said of payers",
    "daybook match payments # Payments allocated to invoices by hand"
  ),
  Command.withSubcommands([debtors, payments, payers])
)
