/**
 * Restricts the library to one tenant of a shared state file: it reads through a view of the file without the others' rows
 * (`sync/state/TenantView.ts`), and looks up decisions there first.
 *
 * Each method is listed, so that a new method of the library, or a new parameter of a decision, does not compile until it is
 * said here whether it reads or decides.
 */
import { Effect, Layer, Stream } from "effect"
import { plural } from "../../core/Plural.ts"
import { Database, type StateError } from "../state/Database.ts"
import type { Verified } from "../state/chain/Verify.ts"
import * as Status from "../reports/Status.ts"
import type { Api, Event } from "./Api.ts"
import { ConfigError, type Configuration } from "./config/Configuration.ts"
import { UsageError } from "./Exit.ts"
import { make } from "./Library.ts"
import { unknownConnection } from "./UnknownConnection.ts"

/** The library for one tenant of a shared file. */
export const ofTenant = (configuration: Configuration) =>
  Effect.gen(function* () {
    const db = yield* Database
    const only = configuration.connections.map(({ id }) => id)
    const reading = yield* Layer.build(Database.layer({ file: db.file, mode: "read", only }))
    const whole = yield* make(configuration, true)
    const view = yield* Effect.provide(make(configuration), reading)
    const alone = db.read(() => Status.connections(db).every((id) => only.includes(id)))
    return narrowed(configuration, { whole, view, alone })
  })

interface Parts {
  /** Works on the whole file. */
  readonly whole: Api
  /** Reads the rows of this tenant's connections, and cannot write. */
  readonly view: Api
  /** Whether the file contains nothing of anybody else. */
  readonly alone: Effect.Effect<boolean, StateError>
}

const narrowed = (configuration: Configuration, parts: Parts): Api => {
  const { alone, view, whole } = parts
  return {
    ...works(configuration, parts),
    ...decisions(configuration, parts),
    // Concerns the whole file: for the operator.
    backup: whole.backup,
    // What is wrong may be others', and would name their documents.
    verify: (known) =>
      Effect.zipWith(whole.verify(known), alone, (found, isAlone) => (isAlone ? found : unnamed(found))),
    // The operator decides whose books a link is for; a tenant sees no links.
    connectLink: whole.connectLink,
    connectLinks: view.connectLinks,
    // Looked up at the service, with what the caller passes.
    candidates: whole.candidates,

    plan: view.plan,
    whatIf: view.whatIf,
    completeness: view.completeness,
    status: view.status,
    attention: view.attention,
    explain: view.explain,
    export: view.export,
    views: view.views,
    payouts: view.payouts,
    month: view.month,
    debtors: view.debtors,
    cover: view.cover,
    choices: view.choices,
    undoable: view.undoable,
    alerts: view.alerts,
    // The library knows which messages belong to these connections.
    testAlerts: whole.testAlerts,
    retryAlerts: whole.retryAlerts
  }
}

/** Whether something is wrong in a shared file, and how much, without the names of whose it is. */
const unnamed = (found: Verified): Verified => {
  const count = found.problems.length + found.more
  if (count === 0) return found
  const why = `${plural(count, "fact")} of this file, which others use too, ${count === 1 ? "does" : "do"} not follow from the chain: its operator sees which with daybook verify`
  return { ...found, problems: [why], more: 0 }
}

type Work =
  | "pull"
  | "apply"
  | "sync"
  | "check"
  | "preview"
  | "reconcile"
  | "independent"
  | "run"
  | "acceptConnection"
  | "renameConnection"
  | "events"

/** Methods that work on the tenant's own connections: `chosen` knows no others. */
const works = ({ connections }: Configuration, { alone, view, whole }: Parts): Pick<Api, Work> => {
  const ids = connections.map(({ id }) => id)
  /** Hides the number of all open items in the file from a run's report. */
  const counted = <A extends { readonly attention: number }>(report: A): Effect.Effect<A, StateError> =>
    Effect.map(view.status(), ({ attention }) => ({ ...report, attention }))
  return {
    pull: whole.pull,
    apply: (plan, options) => Effect.flatMap(whole.apply(plan, options), counted),
    sync: (options) => Effect.flatMap(whole.sync(options), counted),
    check: whole.check,
    preview: whole.preview,
    // A tenant's configuration names only its own connections.
    independent: whole.independent,
    // A file that lacks what was sent does not become complete because one tenant compared its own part.
    reconcile: (options = {}) =>
      Effect.flatMap(alone, (yes) =>
        whole.reconcile(yes || options.connections !== undefined ? options : { ...options, connections: ids })
      ),
    run: whole.run,
    acceptConnection: whole.acceptConnection,
    // The name may belong to another tenant whose handle is not open now.
    renameConnection: () =>
      Effect.fail(
        new UsageError({
          why: "a tenant cannot rename connections of a shared state file; use `daybook connections rename`, or a handle that is not shared"
        })
      ),
    events: Stream.mapEffect(
      whole.events,
      (event): Effect.Effect<Event> =>
        event.type === "applied"
          ? counted(event.report).pipe(
              Effect.map((report) => ({ ...event, report })),
              Effect.orElseSucceed(() => event)
            )
          : Effect.succeed(event)
    )
  }
}

type Decisions =
  | "collection"
  | "collect"
  | "decideCover"
  | "resolve"
  | "retry"
  | "assign"
  | "assignNone"
  | "sameMoney"
  | "ask"
  | "unassign"
  | "undo"
  | "match"
  | "approve"
  | "reject"

/**
 * Does not compile where a method takes fewer parameters than the library's: TypeScript allows that, and what is dropped, such
 * as the chosen documents of a plan, would be decided about everything.
 */
type WithEveryParameter<Own> = {
  [Name in keyof Own & keyof Api]: Own[Name] extends (...own: infer Given) => unknown
    ? Api[Name] extends (...whole: infer Taken) => unknown
      ? Required<Taken>["length"] extends Required<Given>["length"]
        ? unknown
        : never
      : unknown
    : unknown
}

const withEveryParameter = <Own extends Pick<Api, Decisions>>(
  own: Own & WithEveryParameter<Own>
): Pick<Api, Decisions> => own

const noItem = (id: number) => Effect.fail(new UsageError({ why: `there is no open attention item ${id}` }))

/** Looks each document up among the tenant's own first. */
const decisions = ({ connections, file }: Configuration, { view, whole }: Parts): Pick<Api, Decisions> => {
  const ids = connections.map(({ id }) => id)
  const owns = (connection: string) => ids.includes(connection)
  const open = (id: number) => Effect.map(view.attention(), (all) => all.some((one) => one.id === id))
  const unless =
    <A, E>(work: Effect.Effect<A, E>, otherwise: Effect.Effect<A, E>) =>
    (mine: boolean) =>
      mine ? work : otherwise
  const unknown = (connection: string) => new ConfigError({ file, problems: [unknownConnection(connection, ids)] })
  return withEveryParameter({
    resolve: (id, note) => Effect.flatMap(open(id), unless(whole.resolve(id, note), Effect.succeed(false))),
    retry: (id) => Effect.flatMap(open(id), unless(whole.retry(id), Effect.succeed(false))),
    assign: (id, invoices, sure) => Effect.flatMap(open(id), unless(whole.assign(id, invoices, sure), noItem(id))),
    assignNone: (ids) =>
      Effect.flatMap(Effect.forEach(ids, open), (all) =>
        all.every(Boolean) ? whole.assignNone(ids) : noItem(ids[all.indexOf(false)] ?? 0)
      ),
    sameMoney: (id, as) => Effect.flatMap(open(id), unless(whole.sameMoney(id, as), noItem(id))),
    undo: (id, digest) =>
      Effect.flatMap(view.undoable(), (all) =>
        all.some((one) => one.id === id)
          ? whole.undo(id, digest)
          : Effect.fail(new UsageError({ why: `decision ${id} cannot be taken back` }))
      ),
    ask: (payment, sure) =>
      owns(payment.slice(0, Math.max(0, payment.indexOf("/"))))
        ? whole.ask(payment, sure)
        : Effect.fail(new UsageError({ why: `no payment ${payment} is known` })),
    unassign: (payment, options) =>
      owns(payment.slice(0, Math.max(0, payment.indexOf("/"))))
        ? whole.unassign(payment, options)
        : Effect.succeed(false),
    decideCover: (invoice, choice) =>
      owns(invoice.slice(0, Math.max(0, invoice.indexOf("/"))))
        ? whole.decideCover(invoice, choice)
        : Effect.fail(new UsageError({ why: `no invoice ${invoice} is known` })),
    collection: (invoice) =>
      owns(invoice.slice(0, Math.max(0, invoice.indexOf("/"))))
        ? whole.collection(invoice)
        : Effect.fail(new UsageError({ why: `${invoice}: no such invoice is known` })),
    collect: (invoice, step) =>
      owns(invoice.slice(0, Math.max(0, invoice.indexOf("/"))))
        ? whole.collect(invoice, step)
        : Effect.fail(new UsageError({ why: `${invoice}: no such invoice is known` })),
    match: (debtor, company) =>
      owns(debtor.connection) ? whole.match(debtor, company) : Effect.fail(unknown(debtor.connection)),
    approve: (connection, digest, who, documents) =>
      owns(connection) ? whole.approve(connection, digest, who, documents) : Effect.succeed(false),
    reject: (connection, digest, who) =>
      owns(connection) ? whole.reject(connection, digest, who) : Effect.succeed(false)
  })
}
