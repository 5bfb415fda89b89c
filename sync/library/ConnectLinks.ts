/**
 * Creates links by which other people connect their own books, and lists them with their status. The return address is fixed
 * when a link is created, and must be one that the configuration lists, so that nobody can redirect it.
 */
import { Clock, Duration, Effect, Result, Schema } from "effect"
import { basename, resolve } from "node:path"
import { nearest } from "../../core/Nearest.ts"
import * as Links from "../connect/Links.ts"
import { emailOf } from "../connect/LinkPerson.ts"
import { Owner } from "../model/Connection.ts"
import type { StateError, Db } from "../state/Database.ts"
import type { Configuration } from "./config/Configuration.ts"
import { problems } from "./config/ConfigProblems.ts"
import type { ConnectSettings } from "./config/ConnectSettings.ts"
import * as ConnectionsFile from "./config/ConnectionsFile.ts"
import { UsageError } from "./Exit.ts"
import { iso } from "./Plain.ts"
import type { ConnectLink, ConnectLinkStanding } from "../model/reports/Matching.ts"

export type { ConnectLink, ConnectLinkStanding }

/** The options for a link. */
export interface ConnectLinkOptions {
  /** The tenant: your own id of the customer. Names of connections start with it. */
  readonly tenant: string
  /** The customer's name, if `owner` is left out. */
  readonly name?: string
  /** The owner of the documents on the service; default: an organisation with the tenant's id. */
  readonly owner?: typeof Owner.Encoded
  /** Which of `daemon.connect.sources` may be chosen; default: all. */
  readonly connectors?: ReadonlyArray<string>
  /** How long it may be opened; default `"24 hours"`, at most 30 days. */
  readonly expires?: string
  /** One of `daemon.connect.return_urls`; default: the first. */
  readonly returnUrl?: string
  /** Passed back unchanged when the person returns. */
  readonly state?: string
  /** Only who types this e-mail address may open it. */
  readonly email?: string
  /** Your own id of the person: only who you send there with a proof may open it, see `connectAddress`. */
  readonly person?: string
}

const LONGEST_MS = 30 * 86_400_000
const SHORTEST_MS = 60_000
const LONGEST_STATE = 512
const LONGEST_PERSON = 200
const EMAIL = /^[^\s@]+@[^\s@]+$/

const TENANT = /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/

/** The name of the connection for a tenant's source: always the same, so that a second link renews it. */
export const connectionIdOf = (tenant: string, connector: string): string => {
  const name = basename(connector)
    .replace(/\.[a-z]+$/, "")
    .replace(/[^A-Za-z0-9_-]+/g, "-")
  return `${tenant}-${name}`.slice(0, 50)
}

/** Parses `24h`, `30 min`, `7d`, or a duration in Effect's format. */
export const lifetimeOf = (text: string): number | undefined => {
  const [, number, unit] = /^(\d{1,5})\s*(m|min|h|d)$/.exec(text.trim()) ?? []
  const each = { m: 60_000, min: 60_000, h: 3_600_000, d: 86_400_000 }[unit ?? ""]
  const read = each === undefined ? Duration.fromInput(text as Duration.Input) : undefined
  const millis =
    each === undefined ? (read?._tag === "Some" ? Duration.toMillis(read.value) : undefined) : Number(number) * each
  return millis !== undefined && millis >= SHORTEST_MS && millis <= LONGEST_MS ? millis : undefined
}

const chosenOf = (
  { sources }: ConnectSettings,
  wanted: ReadonlyArray<string> | undefined
): Result.Result<ReadonlyArray<string>, string> => {
  const known = sources.map(({ connector }) => connector)
  if (wanted === undefined) return Result.succeed(known)
  const unknown = wanted.find((one) => !known.includes(one))
  if (wanted.length === 0) return Result.fail(`name at least one connector of ${known.join(", ")}`)
  if (unknown === undefined) return Result.succeed([...new Set(wanted)])
  const meant = nearest(unknown, known)
  return Result.fail(
    `${unknown} is not in daemon.connect.sources; ${meant === undefined ? "" : `did you mean ${meant}? `}available: ${known.join(", ")}`
  )
}

const returnOf = ({ return_urls }: ConnectSettings, wanted: string | undefined): Result.Result<string, string> => {
  if (wanted === undefined) return Result.succeed(return_urls[0])
  return return_urls.includes(wanted)
    ? Result.succeed(wanted)
    : Result.fail(
        `${wanted} is not in daemon.connect.return_urls, so people are not sent there; available: ${return_urls.join(", ")}`
      )
}

const ownerOf = (
  { name, owner, tenant }: ConnectLinkOptions,
  now: number
): Result.Result<typeof Owner.Encoded, string> => {
  const registered = `${new Date(now).toISOString().slice(0, 10)}T00:00:00Z`
  const made = owner ?? { organisation: { unique_id: tenant, name: name ?? tenant, registered } }
  const read = Schema.decodeUnknownResult(Owner, { errors: "all", onExcessProperty: "error" })(made)
  return Result.isSuccess(read)
    ? Result.succeed(made)
    : Result.fail(`owner: ${problems(read.failure.issue, ["owner"]).join("; ")}`)
}

/** Checks for ids of the configuration's own connections: a link's connection would be confused with them. */
const taken = ({ connections, file }: Configuration, ids: ReadonlyArray<string>): string | undefined => {
  const made = ConnectionsFile.read(ConnectionsFile.fileOf(resolve(file))).map(({ id }) => id)
  return ids.find((id) => connections.some((one) => one.id === id || one.name === id) && !made.includes(id))
}

const termsOf = (configuration: Configuration, options: ConnectLinkOptions, now: number) =>
  Result.gen(function* () {
    const { connect } = configuration.daemon
    const { expires = "24 hours", state, tenant } = options
    if (connect === undefined)
      return yield* Result.fail(
        "the configuration has no daemon.connect; it says where the pages are, which sources there are and where people are sent back to"
      )
    if (!TENANT.test(tenant))
      return yield* Result.fail(
        `tenant ${JSON.stringify(tenant)}: use letters, digits, "-" and "_", 40 at most: it becomes part of every document's key`
      )
    const lasts = lifetimeOf(expires)
    if (lasts === undefined)
      return yield* Result.fail(`expires ${JSON.stringify(expires)}: write how long, like 24h, from 1m to 30d`)
    if ((state?.length ?? 0) > LONGEST_STATE)
      return yield* Result.fail(`state: has more than ${LONGEST_STATE} characters`)
    if (options.email !== undefined && (!EMAIL.test(options.email.trim()) || options.email.length > LONGEST_PERSON))
      return yield* Result.fail(`email ${JSON.stringify(options.email)}: write one e-mail address`)
    if (options.person === "" || (options.person?.length ?? 0) > LONGEST_PERSON)
      return yield* Result.fail(`person: write your own id of the person, of at most ${LONGEST_PERSON} characters`)
    const connectors = yield* chosenOf(connect, options.connectors)
    const other = taken(
      configuration,
      connectors.map((one) => connectionIdOf(tenant, one))
    )
    if (other !== undefined)
      return yield* Result.fail(
        `tenant ${tenant}: its connection would be called ${other}, as one of the configuration; choose another`
      )
    return {
      url: connect.url,
      expires: now + lasts,
      connectors,
      owner: yield* ownerOf(options, now),
      returnUrl: yield* returnOf(connect, options.returnUrl)
    }
  })

/** @param by who creates it, for the record */
export const makeLink = (
  configuration: Configuration,
  db: Db,
  options: ConnectLinkOptions,
  by: string
): Effect.Effect<ConnectLink, UsageError | StateError> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const { connectors, expires, owner, returnUrl, url } = yield* Effect.mapError(
      Effect.fromResult(termsOf(configuration, options, now)),
      (why) => new UsageError({ why })
    )
    const { email, person, state, tenant } = options
    const terms = {
      ...{ owner, connectors, returnUrl, by },
      ...(state === undefined ? {} : { state }),
      ...(email === undefined ? {} : { email: emailOf(email) }),
      ...(person === undefined ? {} : { person })
    }
    const word = yield* db.transaction(() => Links.make(db, { tenant, terms, made: now, expires }))
    return { url: `${url}/connect/${word}`, tenant, connectors, expires: iso(expires) }
  })

/** Every link, latest first; addresses are not stored. */
export const standings = (db: Db): Effect.Effect<ReadonlyArray<ConnectLinkStanding>, StateError> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    db.read(() =>
      Links.list(db).map((link) => ({
        tenant: link.tenant,
        connectors: link.terms.connectors,
        made: iso(link.made),
        expires: iso(link.expires),
        by: link.terms.by,
        status: Links.standing(link, now)
      }))
    )
  )
