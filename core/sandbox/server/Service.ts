/**
 * The service itself, as a function from request to answer: without a port, with its own clock only, deterministic.
 * `Routes.ts` chooses the handler; the rules are in the handlers. Invalid requests are answered with 4xx, never with 5xx.
 */
import { Result } from "effect"
import { DEFAULT, type Dialect } from "./ApiProfile.ts"
import { company, Directory, type Listed } from "../store/Directory.ts"
import { type Answer, type Context, notFound, Refusal } from "../store/Handler.ts"
import { changedByTime } from "../resources/Insurance.ts"
import { read } from "../store/Json.ts"
import { readForm } from "./Multipart.ts"
import { once } from "./Idempotency.ts"
import { PublicKeys } from "./PublicKeys.ts"
import { withRules } from "./PartialValidation.ts"
import { type Route, tableOf } from "./Routes.ts"
import type { Table } from "./Table.ts"
import { type Windows, WINDOWS } from "../rules/States.ts"
import { listing } from "../resources/SoleTraders.ts"
import { Store } from "../store/Store.ts"
import { transactions } from "../resources/Transactions.ts"

export interface Incoming {
  readonly method: string
  /** Including the query. */
  readonly url: string
  readonly authorization: string | undefined
  readonly body: string
  /** Makes a retry safe (DP 8). */
  readonly idempotencyKey?: string | undefined
  /** A multipart body, in place of `body`. */
  readonly form?: { readonly contentType: string; readonly bytes: Uint8Array } | undefined
  /** The address that the request was sent to, for links in the answer. */
  readonly base: string
}

type Who = { readonly key: string } | { readonly refused: Answer }

const NONE: ReadonlySet<string> = new Set()
const NOTHING: Readonly<Record<string, string>> = {}

const UNAUTHORIZED = { "www-authenticate": "Token" }

export class Service {
  readonly store: Store
  readonly directory = new Directory()
  readonly publicKeys: PublicKeys
  readonly #keys: ReadonlySet<string>
  readonly #now: () => number
  #onChange: ((key: string, transaction: string) => void) | undefined
  /** Called with every notification that an offer asked for (DP 6.1). */
  onNotify: ((url: string, body: unknown) => void) | undefined
  readonly #notify: Context["notify"] = (url, body) => this.onNotify?.(url, body)
  readonly #dialect: Dialect
  readonly #table: Table<Route>
  readonly #windows: Windows

  /** @param now the sandbox's own time */
  constructor(options: {
    readonly keys: ReadonlyArray<string>
    readonly now: () => number
    readonly state?: string | undefined
    readonly dialect?: Dialect | undefined
    readonly windows?: Windows | undefined
  }) {
    this.store = new Store(options.state)
    this.#keys = new Set(options.keys)
    this.publicKeys = new PublicKeys(options.keys)
    this.#now = options.now
    this.#dialect = options.dialect ?? DEFAULT
    this.#table = tableOf(this.#dialect)
    this.#windows = options.windows ?? WINDOWS
    for (const [key, { soletrader }] of this.store.platforms()) {
      for (const trader of soletrader.values()) this.directory.register(listing(key, trader))
    }
    const kept = this.store.setting("directory")
    if (kept !== undefined) this.directory.restore(JSON.parse(kept) as ReadonlyArray<Listed>)
  }

  /** Stores added companies and decisions as well, so that they outlive the process. */
  keepDirectory(): void {
    this.store.keep("directory", JSON.stringify(this.directory.all()))
    this.store.commit()
  }

  #last: { readonly authorization: string | undefined; readonly who: Who } | undefined

  /** The platform's key, or a 401. Cached, because most requests use a key that was seen before. */
  authenticate(authorization: string | undefined): Who {
    if (this.#last === undefined || this.#last.authorization !== authorization)
      this.#last = { authorization, who: this.#identify(authorization) }
    return this.#last.who
  }

  #identify(authorization: string | undefined): Who {
    const [, scheme = "", credential = ""] = /^(\S+)\s+(.*)$/.exec(authorization ?? "") ?? []
    if (credential === "") {
      return {
        refused: {
          status: 401,
          body: { detail: "Authentication credentials were not provided." },
          headers: UNAUTHORIZED
        }
      }
    }
    const key =
      scheme.toLowerCase() === "token"
        ? credential.trim()
        : scheme.toLowerCase() === "basic"
          ? Buffer.from(credential, "base64").toString("utf8").replace(/:.*$/s, "")
          : ""
    return this.#keys.has(key)
      ? { key }
      : { refused: { status: 401, body: { detail: "Invalid token." }, headers: UNAUTHORIZED } }
  }

  /** A transaction in webhook form, with its policy and quote expanded; undefined if there is none (II 6). */
  view(key: string, transaction: string, base: string): unknown {
    const query = { expand: "policy,quote" }
    const context = { ...this.context(key, base), query, params: { transaction_id: transaction } }
    const { mine } = context
    if (mine.transaction.get(transaction) === undefined) return undefined
    const body = transactions.get(context).body as Readonly<Record<string, unknown>>
    const quote = body["quote"] as Readonly<Record<string, unknown>> | null
    // Assumption: the quote's client is sent as a whole company, its percentages as numbers.
    const client = this.directory.get(String(quote?.["client"]), key)
    return client === undefined || quote === null
      ? body
      : { ...body, quote: { ...quote, ...percentages(quote), client: company(client, base) } }
  }

  /** A handler's context; by default for a request without parameters. */
  context(
    key: string,
    base: string,
    params: Context["params"] = NOTHING,
    query: Context["query"] = NOTHING,
    payload: Context["payload"] = NOTHING
  ): Context {
    return {
      key,
      base,
      query,
      params,
      payload,
      unread: NONE,
      mine: this.store.platform(key),
      store: this.store,
      directory: this.directory,
      now: this.#now(),
      lenient: this.#dialect.lenient,
      windows: this.#windows,
      notify: this.#notify
    }
  }

  /** Called after time was moved: announces every transaction whose policy or quote changed since `before`. */
  passed(before: number): void {
    if (this.#onChange === undefined) return
    for (const [key, mine] of this.store.platforms()) {
      for (const transaction of changedByTime(mine, before, this.#now())) this.#onChange(key, transaction)
    }
  }

  handle(request: Incoming): Answer {
    try {
      return this.#answer(request)
    } catch (cause) {
      if (cause instanceof Refusal) return cause.answer
      throw cause
    } finally {
      this.store.commit()
    }
  }

  /** Called with every transaction that a request changed. */
  set onChange(listener: (key: string, transaction: string) => void) {
    this.#onChange = listener
    this.store.watched = true
  }

  /** Announces the transactions that changed since the last call. */
  announce(): void {
    if (this.#onChange === undefined) return
    for (const [transaction, key] of this.store.touched()) this.#onChange(key, transaction)
  }

  #answer({ authorization, base, body, form, idempotencyKey = "", method, url }: Incoming): Answer {
    const at = url.indexOf("?")
    const path = at < 0 ? url : url.slice(0, at)
    const found = this.#table.find(method, path)
    if (found === undefined) {
      const allow = this.#table.methods(path).join(", ")
      if (allow === "") return { status: 404, body: { detail: "Not found." } }
      return { status: 405, body: { detail: `Method "${method}" not allowed.` }, headers: { allow } }
    }
    const { params, route } = found
    let key = ""
    if (!route.open) {
      const who = this.authenticate(authorization)
      if ("refused" in who) return who.refused
      ;({ key } = who)
    }
    const asked = at < 0 ? NOTHING : Object.fromEntries(new URLSearchParams(url.slice(at + 1)))
    const query = method === "GET" || at < 0 ? asked : unexpanded(asked)
    const badQuery = route.query?.(query)
    if (badQuery !== undefined) return badQuery
    if (!route.exists(this.store.platform(key), params)) throw notFound()
    let payload: Context["payload"] = NOTHING
    if (route.payload !== undefined) {
      const json = form === undefined ? read(body) : readForm(form.contentType, form.bytes)
      if ("refused" in json) return { status: 400, body: { detail: json.refused } }
      const decoded = route.payload(json.value, this.store.platform(key))
      if (Result.isFailure(decoded)) {
        const { refusal, rest } = decoded.failure
        return withRules(refusal, route.handle, this.context(key, base, params, query, rest()))
      }
      payload = decoded.success
    }
    const context = this.context(key, base, params, query, payload)
    const answer =
      route.idempotent && idempotencyKey !== ""
        ? once(context, idempotencyKey, path.replace(/\/$/, ""), () => route.handle(context))
        : route.handle(context)
    this.announce()
    return answer
  }
}

const percentages = ({ insured_pc_gross, insured_pc_net }: Readonly<Record<string, unknown>>) => ({
  insured_pc_net: insured_pc_net === null ? null : Number(insured_pc_net),
  insured_pc_gross: insured_pc_gross === null ? null : Number(insured_pc_gross)
})

/** Only reads expand (DP 4, note 4). */
const unexpanded = ({ expand: _, ...query }: Readonly<Record<string, string>>) => query
