/** `daybook collect`: shows what would be handed over to collections, and records a person's confirmation. */
import { readFile, stat } from "node:fs/promises"
import { basename } from "node:path"
import { Clock, Effect, Layer, Option } from "effect"
import { Argument, Command } from "effect/cli"
import type * as Collecting from "../../sync/collections/Collecting.ts"
import { LARGEST_FILE_BYTES } from "../../sync/collections/FileStore.ts"
import { gatherFrom } from "../../sync/CoverSync.ts"
import * as Collections from "../../sync/decisions/Collections.ts"
import type { Configuration } from "../../sync/library/config/Configuration.ts"
import * as CoverInvoice from "../../sync/library/CoverInvoice.ts"
import { ATTENTION, Exit, NotDecided, UsageError } from "../../sync/library/Exit.ts"
import * as ServiceClient from "../../sync/library/ServiceClient.ts"
import * as Plan from "../../sync/plan/Plan.ts"
import * as UnknownCalls from "../../sync/plan/UnknownCalls.ts"
import * as CollectionList from "../../sync/reports/CollectionList.ts"
import * as Cover from "../../sync/reports/Cover.ts"
import { Database } from "../../sync/state/Database.ts"
import { plural } from "../../core/Plural.ts"
import * as CommandContext from "../CommandContext.ts"
import { userName } from "../Me.ts"
import * as View from "../render/CollectionView.ts"
import * as Steps from "../Steps.ts"
import { flags, type Said, word } from "./collectWord.ts"

const list = (configuration: Configuration) =>
  Effect.gen(function* () {
    const out = yield* CommandContext.output
    const db = yield* Database
    const now = yield* Clock.currentTimeMillis
    const watched = yield* db.read(() => Cover.watched(db, configuration.connections))
    const lacks = watched.length > 0 ? undefined : CoverInvoice.notConfigured(configuration)
    if (lacks !== undefined) return yield* new UsageError({ why: lacks })
    const all = yield* db.snapshot(() => watched.flatMap(({ id }) => CollectionList.collections(db, id, now)))
    for (const one of all) yield* out.emit({ type: "collection", ...one })
    yield* out.emit({ type: "summary", collections: all.length })
    yield* out.say(View.list(all, out))
    if (all.some(({ status, sent }) => status === "late_can_handover" && sent === null))
      yield* new Exit({ status: ATTENTION })
  })

/** The invoice's collection, as the service and the books have it now. */
const look = ({ connection, subject }: CoverInvoice.CoverInvoice) =>
  Effect.gen(function* () {
    const answer = yield* Collections.show(connection, subject)
    return "why" in answer ? yield* new UsageError({ why: `${subject}: ${answer.why}` }) : answer
  })

/** Carries out a step, or fails with the reason. */
const act = ({ connection, subject }: CoverInvoice.CoverInvoice, step: Collections.CollectionAct) =>
  Effect.flatMap(Collections.decide(connection, subject, step), (why) =>
    why === undefined ? Effect.void : Effect.fail(new UsageError({ why: `${subject}: ${why}` }))
  )

/** The file's bytes; a file that is far too large is not read at all. */
const read = (path: string): Effect.Effect<Uint8Array, UsageError> =>
  Effect.tryPromise({
    try: async () => {
      const found = await stat(path)
      if (!found.isFile()) throw new UsageError({ why: `${path} is not a file` })
      if (found.size > LARGEST_FILE_BYTES)
        throw new UsageError({
          why: `${path} has ${Math.ceil((10 * found.size) / 2 ** 20) / 10} MB, and at most ${LARGEST_FILE_BYTES / 2 ** 20} MB can be handed over: make it smaller`
        })
      return await readFile(path)
    },
    catch: (cause) => {
      if (cause instanceof UsageError) return cause
      const { code } = cause as NodeJS.ErrnoException
      return new UsageError({
        why: code === "ENOENT" ? `${path} was not found: check the path` : `${path} cannot be read (${code})`
      })
    }
  })

/** Adds and removes files. */
const change = (invoice: CoverInvoice.CoverInvoice, { attach, remove, type, who = userName() }: Said) =>
  Effect.gen(function* () {
    for (const path of attach) {
      const bytes = yield* read(path)
      yield* act(invoice, { step: "attach", bytes, name: basename(path), type, who })
    }
    for (const name of remove) yield* act(invoice, { step: "detach", name, who })
  })

/** Records a person's confirmation. */
const confirm = (invoice: CoverInvoice.CoverInvoice, given: Collecting.Confirmation) =>
  Effect.gen(function* () {
    const out = yield* CommandContext.output
    const { connection, subject } = invoice
    const refused = yield* Collections.decide(connection, subject, { step: "confirm", ...given })
    if (refused !== undefined) {
      const why = `${subject}: nothing was confirmed: ${refused}`
      const { view } = yield* look(invoice)
      return view.digest === given.digest ? yield* new UsageError({ why }) : yield* new NotDecided({ why })
    }
    yield* out.emit({ type: "confirmed", document: subject, who: given.who })
    yield* out.say(`\nConfirmed by ${given.who}.`)
  })

const withdraw = (invoice: CoverInvoice.CoverInvoice, { who }: Said) =>
  Effect.gen(function* () {
    const out = yield* CommandContext.output
    if (who === undefined) return yield* new UsageError({ why: "--withdraw needs --name: who takes it back" })
    yield* act(invoice, { step: "withdraw", who })
    const { subject } = invoice
    yield* out.emit({ type: "withdrawn", document: subject, who })
    yield* out.say(`Withdrawn by ${who}: ${subject} is not handed over until somebody confirms it again.`)
  })

const send = (configuration: Configuration, { connection, subject }: CoverInvoice.CoverInvoice) =>
  Effect.gen(function* () {
    const out = yield* CommandContext.output
    const db = yield* Database
    const now = yield* Clock.currentTimeMillis
    const { calls, unknown } = yield* db.snapshot(() => ({
      ...Plan.planOne(db, connection, subject, { now }),
      unknown: UnknownCalls.isHandover(db, subject)
    }))
    if (!unknown && !Plan.isCollection({ calls })) {
      const first = calls.filter((call) => !Plan.isCollection({ calls: [call] }))
      const why = `${subject} was not handed over: ${plural(first.length, "other call")} of it ${first.length === 1 ? "comes" : "come"} first (${first[0]?.reason}); run daybook sync, which sends ${first.length === 1 ? "it" : "them"} first`
      return yield* new NotDecided({ why })
    }
    yield* Steps.apply(configuration, out, { collection: subject }, [connection])
    const { view } = yield* look({ connection, subject })
    yield* out.emit(View.record(view))
    yield* out.say(View.ended(view))
    if (view.sent === undefined) yield* new Exit({ status: ATTENTION })
  })

/**
 * Finds the invoice, carries out what needs no further answer, and shows it. The state file is free again before a person is
 * asked anything.
 */
const shown = (configuration: Configuration, document: string, said: Said) =>
  Effect.gen(function* () {
    const out = yield* CommandContext.output
    const db = yield* Database
    const invoice = yield* db.read(() => CoverInvoice.find(db, configuration, document))
    if ("why" in invoice) return yield* new UsageError(invoice)
    if (said.withdraw) {
      yield* withdraw(invoice, said)
      return undefined
    }
    yield* change(invoice, said)
    yield* gatherFrom(configuration, invoice.connection, invoice.subject)
    const { unread, view } = yield* look(invoice)
    yield* out.emit({ ...View.record(view), ...(unread === undefined ? {} : { unread }) })
    yield* out.say(View.one(view, out))
    if (unread !== undefined)
      yield* out.say(`\nThe service could not be read just now (${unread}): what it has may differ.`)
    return { invoice, view }
  })

const one = (configuration: Configuration, document: string, said: Said) =>
  Effect.gen(function* () {
    const out = yield* CommandContext.output
    const outside = Layer.merge(ServiceClient.outside, ServiceClient.client(configuration))
    const deciding = Layer.merge(yield* CommandContext.state("decide", "collect"), outside)
    const found = yield* Effect.provide(shown(configuration, document, said), deciding)
    if (found === undefined) return
    const { invoice, view } = found
    const given = said.confirm ? yield* word(view, said) : undefined
    if (given !== undefined) yield* Effect.provide(confirm(invoice, given), deciding)
    const isConfirmed = said.confirm
      ? given !== undefined
      : view.closed === undefined && view.word !== undefined && !view.word.isVoid
    if (said.send && isConfirmed) {
      const writing = Layer.merge(yield* CommandContext.state("write", "collect"), outside)
      return yield* Effect.provide(send(configuration, invoice), writing)
    }
    if (view.sent !== undefined) return
    if (said.send && view.closed !== undefined)
      return yield* new UsageError({ why: `${invoice.subject} was not handed over: ${view.closed}` })
    if (view.unknown === true) return yield* new Exit({ status: ATTENTION })
    yield* out.say(
      isConfirmed
        ? `\nThe next daybook sync hands it over; at once: ${View.command(view)} --send`
        : View.next(view, said.confirm)
    )
    if (!isConfirmed && view.closed === undefined) yield* new Exit({ status: ATTENTION })
  })

export const collect = Command.make(
  "collect",
  {
    document: Argument.String("document").pipe(
      Argument.withDescription(
        "An insured invoice's number, id or key; without it, lists those that can be handed over"
      ),
      Argument.optional
    ),
    ...flags
  },
  Effect.fn(function* ({ document, name, ...said }) {
    const configuration = yield* CommandContext.configuration
    const who = Option.getOrUndefined(name)
    if (Option.isNone(document)) {
      const state = yield* CommandContext.state("read", "collect")
      return yield* list(configuration).pipe(
        Effect.provide(state),
        Effect.catchTag("StateError", (error) => Effect.fail(CoverInvoice.orNotConfigured(configuration, error)))
      )
    }
    yield* one(configuration, document.value, { ...said, who })
  })
).pipe(
  CommandContext.help(
    "Hand a late, insured invoice over to collections: look at what would be sent, add files, confirm it, send it. Nothing is handed over before a person has made both declarations, one by one, with their name; when something changes after that, they are asked again. Exit status 3: it waits for a person; 4: it changed since it was shown.",
    "Hand a late invoice over to collections",
    "daybook collect # Invoices that can be handed over, and those that were",
    "daybook collect INV-1042 # What would be handed over, and what is missing",
    "daybook collect INV-1042 --attach delivery.pdf --type proof_delivery # Add a file",
    "daybook collect INV-1042 --confirm --name 'Ada Reed' # Confirm it: asks for each declaration",
    "daybook collect INV-1042 --confirm --name 'Ada Reed' --digest 8Jx2mQ0w --not-disputed --declare-correct --accept-terms # The same without a terminal",
    "daybook collect INV-1042 --send # Hand it over now, and send nothing else"
  )
)
