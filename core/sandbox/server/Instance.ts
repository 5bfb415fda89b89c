/**
 * One sandbox without a port: the service behind a network that can be made to fail. Every request passes through `respond`,
 * which applies faults, keeps the journal and announces changes; a server or a test calls it.
 */
import { type Windows, WINDOWS } from "../rules/States.ts"
import { browser, type FromBrowser } from "./Browser.ts"
import { control, type Delivery, type Journal, SandboxClock } from "./Control.ts"
import { DEFAULT, type Dialect } from "./ApiProfile.ts"
import { type Fault, Faults } from "./Faults.ts"
import type { Answer } from "../store/Handler.ts"
import { write } from "../store/Json.ts"
import { type Incoming, Service } from "./Service.ts"

export interface InstanceOptions {
  /** API keys, each for a separate platform; `sandbox-key` by default. */
  readonly keys?: ReadonlyArray<string>
  /** Its control interface is for who has one of these keys: it holds books that others on this machine are not to see. */
  readonly guarded?: boolean
  /** The start of its own time, in milliseconds since the epoch; the machine's time by default. */
  readonly clock?: number
  /** A SQLite file that outlives the process; in memory by default. */
  readonly state?: string
  /** The machine's time, in milliseconds since the epoch. */
  readonly now: () => number
  /** Runs `work` after so many milliseconds. */
  readonly later: (ms: number, work: () => void) => void
  /** Called with every transaction that a request changed, in the form of a webhook (II 6). */
  readonly onChange?: (instance: Instance, transaction: unknown) => void
  /** Called with every notification that an offer asked for, and its address (DP 6.1). */
  readonly onNotify?: (instance: Instance, url: string, body: unknown) => void
  /** Which interface it implements, and how strictly; by default both, as the specification says. */
  readonly dialect?: Partial<Dialect>
  /** For how many days policies are late before they can be handed over, and then can be; 45 and 30 by default. */
  readonly windows?: Partial<Windows>
}

export interface Request extends Incoming {
  /** Whether it comes from this machine, so that it may use the control interface. */
  readonly local: boolean
  /** Set for requests of browsers. */
  readonly browser?: FromBrowser | undefined
}

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string | Uint8Array
  /** Its size on the wire. */
  readonly bytes: number
}

/** What the network does: it delivers a reply, or cuts the connection. */
export type Outcome = Reply | "cut"

/** Maximum number of requests in the journal. */
const REMEMBERED = 200_000

export class Instance {
  readonly keys: ReadonlyArray<string>
  readonly clock: SandboxClock
  readonly faults = new Faults()
  readonly journal: Array<Journal> = []
  readonly deliveries: Array<Delivery> = []
  readonly service: Service
  readonly dialect: Dialect
  readonly #guarded: boolean
  readonly #later: InstanceOptions["later"]
  #base = ""
  #n = 0
  #second: { readonly second: number; readonly text: string } | undefined
  #last: { readonly now: number; readonly text: string } | undefined

  constructor(options: InstanceOptions) {
    const { clock, dialect, guarded = false, keys = ["sandbox-key"], later, now } = options
    const { onChange, onNotify, state, windows } = options
    this.keys = keys
    this.#guarded = guarded
    this.clock = new SandboxClock(now, clock)
    this.#later = later
    this.dialect = { ...DEFAULT, ...dialect }
    this.service = new Service({
      keys,
      now: this.clock.now,
      state,
      dialect: this.dialect,
      windows: { ...WINDOWS, ...windows }
    })
    if (onNotify !== undefined) this.service.onNotify = (url, body) => onNotify(this, url, body)
    if (onChange !== undefined) {
      this.service.onChange = (key, id) => {
        const read = this.service.view(key, id, this.#base)
        if (read !== undefined) onChange(this, read)
      }
    }
  }

  /** Answers `request`; `done` is called once, immediately or later. */
  respond(request: Request, answered: (outcome: Outcome) => void): void {
    // The service's own time (RFC 9110, 6.6.1), which is the sandbox's here.
    const done = (outcome: Outcome) =>
      answered(outcome === "cut" ? outcome : { ...outcome, headers: { ...outcome.headers, date: this.#date() } })
    this.#base = request.base
    const at = request.url.indexOf("?")
    const pathname = at < 0 ? request.url : request.url.slice(0, at)
    // The control interface is not available at the payment frame's address.
    if (request.browser === undefined && pathname.startsWith("/sandbox") && /^\/sandbox(\/|$)/.test(pathname)) {
      if (!request.local) return done(reply({ status: 403, body: { detail: "Only from this machine." } }))
      if (this.#guarded && !("key" in this.service.authenticate(request.authorization)))
        return done(reply({ status: 401, body: { detail: "Only with a key of this sandbox." } }))
      const query = new URLSearchParams(at < 0 ? "" : request.url.slice(at))
      return done(reply(control(this, request.method, pathname, query, request.body, request.base)))
    }
    const fault = this.faults.strike(request.method, pathname)
    if (fault === undefined) return done(reply(this.#act(request, pathname)))
    this.#fail(fault, request, pathname, done)
  }

  #fail(fault: Fault, request: Request, path: string, done: (outcome: Outcome) => void): void {
    switch (fault.kind) {
      case "status": {
        const status = fault.status ?? 500
        this.#note(request, path, status, false)
        const headers = fault.retry_after === undefined ? {} : { "retry-after": String(fault.retry_after) }
        const detail = `The sandbox was asked to answer ${status}.`
        return done(
          reply([204, 205, 304].includes(status) ? { status, headers } : { status, headers, body: { detail } })
        )
      }
      case "lose_request":
        this.#note(request, path, null, false)
        return done("cut")
      case "lose_response":
        this.#act(request, path, true)
        return done("cut")
      case "late":
        this.#later(fault.delay_ms ?? 0, () => this.#act(request, path, true))
        return done("cut")
      case "delay":
        return this.#later(fault.delay_ms ?? 0, () => done(reply(this.#act(request, path))))
      case "garble": {
        const whole = reply(this.#act(request, path))
        const text = whole.text.slice(0, Math.floor(whole.text.length / 2))
        return done({ ...whole, text, bytes: Buffer.byteLength(text) })
      }
    }
  }

  #act(request: Request, path: string, unheard = false): Answer {
    const { browser: from } = request
    const answer = from === undefined ? this.service.handle(request) : browser(this.service, request, from)
    this.#note(request, path, unheard ? null : answer.status, answer.status < 400)
    return answer
  }

  #note({ authorization, idempotencyKey, method }: Request, path: string, status: number | null, acted: boolean): void {
    const who = this.service.authenticate(authorization)
    this.journal.push({
      n: ++this.#n,
      at: this.#moment(),
      method,
      path,
      key: "key" in who ? who.key : null,
      idempotency_key: idempotencyKey ?? null,
      status,
      acted
    })
    if (this.journal.length > REMEMBERED) this.journal.splice(0, REMEMBERED / 10)
  }

  /** The sandbox's time as text, cached for each millisecond. */
  #moment(): string {
    const now = this.clock.now()
    if (this.#last?.now !== now) this.#last = { now, text: new Date(now).toISOString() }
    return this.#last.text
  }

  /** The sandbox's time as a header, cached for each second. */
  #date(): string {
    const second = Math.floor(this.clock.now() / 1000)
    if (this.#second?.second !== second) this.#second = { second, text: new Date(second * 1000).toUTCString() }
    return this.#second.text
  }

  close(): void {
    this.service.store.close()
  }
}

const NO_HEADERS = {}
const JSON_HEADERS = { "content-type": "application/json" }

const reply = ({ body, file, headers = NO_HEADERS, status }: Answer): Reply => {
  if (file !== undefined) {
    const { content, type } = file
    return { status, headers: { "content-type": type, ...headers }, text: content, bytes: content.length }
  }
  if (body === undefined) return { status, headers, text: "", bytes: 0 }
  const { bytes, text } = write(body)
  return { status, headers: headers === NO_HEADERS ? JSON_HEADERS : { ...JSON_HEADERS, ...headers }, text, bytes }
}
