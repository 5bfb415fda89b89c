/**
 * The control interface under `/sandbox/`: time, companies and their decisions, faults, and the request journal.
 */
import { DateTime, Option } from "effect"
import { DEFERRED_PAYMENT_STATUSES } from "../../deferred-payment/DeferredPayments.ts"
import * as Country from "../../wire/Country.ts"
import { checkout } from "./Checkout.ts"
import type { Decision } from "../store/Directory.ts"
import { type Fault, type Faults, KINDS } from "./Faults.ts"
import { type Answer, created, ok } from "../store/Handler.ts"
import { read } from "../store/Json.ts"
import type { Service } from "./Service.ts"

export interface Journal {
  readonly n: number
  readonly at: string
  readonly method: string
  readonly path: string
  readonly key: string | null
  readonly idempotency_key: string | null
  readonly status: number | null
  readonly acted: boolean
}

export interface Delivery {
  readonly n: number
  readonly at: string
  readonly url: string
  readonly attempt: number
  readonly status: number | null
}

/** The sandbox's time: the machine's plus an offset, or stopped at a set time. */
export class SandboxClock {
  #offset = 0
  readonly #machine: () => number

  constructor(machine: () => number, start: number | undefined) {
    this.#machine = machine
    if (start !== undefined) this.set(start)
  }
  now = (): number => this.#machine() + this.#offset
  /** Returns to the machine's time. */
  reset(): void {
    this.#offset = 0
  }
  set(millis: number): void {
    this.#offset = millis - this.#machine()
  }
  advance(millis: number): void {
    this.#offset += millis
  }
}

export interface Controlled {
  readonly service: Service
  readonly clock: SandboxClock
  readonly faults: Faults
  readonly journal: Array<Journal>
  readonly deliveries: Array<Delivery>
}

const bad = (problems: Readonly<Record<string, string>>): Answer => ({
  status: 400,
  body: Object.fromEntries(Object.entries(problems).map(([field, why]) => [field, [why]]))
})

/** Days are written with four-digit years, so the time must stay within them. */
const EARLIEST = Date.UTC(1970, 0, 1)
const LATEST = Date.UTC(9999, 0, 1)

const tellable = (millis: number): boolean => millis >= EARLIEST && millis <= LATEST

const iso = (millis: number): string => new Date(millis).toISOString()

/** Adds an ISO 8601 duration: `P31D`, `P1M`, `PT1H`. Months and years count from `now`. Undefined if out of range. */
const after = (now: number, text: string): number | undefined => {
  const match = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(
    text
  )
  if (match === null || text === "P" || text.endsWith("T")) return undefined
  const [years, months, weeks, days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number
  ]
  const moved = DateTime.make(now).pipe(
    Option.map((from) => DateTime.add(from, { years, months, weeks, days, hours, minutes }))
  )
  const to = Option.isNone(moved) ? Number.NaN : DateTime.toEpochMillis(moved.value) + seconds * 1000
  return tellable(to) ? to : undefined
}

type Body = Readonly<Record<string, unknown>>

export const control = (
  controlled: Controlled,
  method: string,
  path: string,
  query: URLSearchParams,
  text: string,
  base: string
): Answer => {
  const { clock, deliveries, faults, journal, service } = controlled
  const json = read(text)
  if ("refused" in json) return bad({ non_field_errors: json.refused })
  const body = (json.value ?? {}) as Body
  if (typeof body !== "object" || Array.isArray(body)) return bad({ non_field_errors: "An object is required." })
  const parts = path.split("/").filter((part) => part !== "")
  const byBuyer = checkout(service, method, parts.slice(1), body, base)
  if (byBuyer !== undefined) return byBuyer
  const [, what = "", id = "", more = ""] = parts
  switch (`${method} ${what}${id === "" ? "" : "/ID"}${more === "" ? "" : `/${more}`}`) {
    case "POST reset":
      return reset(controlled)
    case "GET clock":
      return ok({ now: iso(clock.now()) })
    case "POST clock":
      return movingClock(service, clock, body)
    case "GET companies":
      return listCompanies(service)
    case "POST companies":
      return addCompany(service, body)
    case "PUT companies/ID/decision":
      return setDecision(service, id, text.trim() === "" ? null : json.value)
    case "PUT companies/ID/outcome":
      return setOutcome(service, id, body)
    case "POST faults":
      return addFault(faults, body)
    case "DELETE faults":
      faults.clear()
      return { status: 204 }
    case "GET requests":
      return requestsSince(journal, query.get("since"))
    case "GET webhooks":
      return ok(deliveries)
    default:
      return NOT_FOUND
  }
}

const NOT_FOUND: Answer = { status: 404, body: { detail: "Not found." } }

const reset = ({ clock, deliveries, faults, journal, service }: Controlled): Answer => {
  service.store.reset()
  service.store.commit()
  service.directory.reset()
  faults.clear()
  journal.length = 0
  deliveries.length = 0
  clock.reset()
  return { status: 204 }
}

const listCompanies = (service: Service): Answer =>
  ok(
    service.directory.all().map(({ country, decision, id, name, reg_number, vat_number }) => ({
      id,
      name,
      country,
      reg_number,
      vat_number,
      decision
    }))
  )

const requestsSince = (journal: ReadonlyArray<Journal>, text: string | null): Answer => {
  const since = Number(text ?? 0)
  return Number.isInteger(since) && since >= 0
    ? ok(journal.filter(({ n }) => n > since))
    : bad({ since: "A whole number is required." })
}

const setDecision = (service: Service, id: string, value: unknown): Answer => {
  const listed = service.directory.any(id)
  if (listed === undefined) return NOT_FOUND
  const decision = decisionOf(value)
  if (decision === undefined) return bad({ code: "Give {code, params}, or null." })
  listed.decision = decision
  service.keepDirectory()
  return ok(listed)
}

const movingClock = (service: Service, clock: SandboxClock, body: Body): Answer => {
  const before = clock.now()
  const answer = moveClock(clock, body)
  service.passed(before)
  return answer
}

const moveClock = (clock: SandboxClock, { advance, set }: Body): Answer => {
  if (typeof set === "string") {
    const at = DateTime.make(set)
    const to = Option.isNone(at) ? Number.NaN : DateTime.toEpochMillis(at.value)
    if (!tellable(to)) return bad({ set: "An ISO 8601 instant is required, of the years 1970 to 9998." })
    clock.set(to)
  } else if (typeof advance === "string") {
    const to = after(clock.now(), advance)
    if (to === undefined) return bad({ advance: "An ISO 8601 duration is required, like P31D, within the year 9998." })
    clock.set(to)
  } else return bad({ non_field_errors: "Give set or advance." })
  return ok({ now: iso(clock.now()) })
}

/** Sets the result of a company's checkout submissions: `{"status": "pending_review"}`, or null for accepted. */
const setOutcome = (service: Service, id: string, { status = null }: Body): Answer => {
  const listed = service.directory.any(id)
  if (listed === undefined) return NOT_FOUND
  if (status !== null && !DEFERRED_PAYMENT_STATUSES.includes(status as (typeof DEFERRED_PAYMENT_STATUSES)[number]))
    return bad({ status: `One of ${DEFERRED_PAYMENT_STATUSES.join(", ")} is required, or null.` })
  listed.outcome = status === null ? undefined : String(status)
  service.keepDirectory()
  return ok({ company: id, status })
}

const decisionOf = (value: unknown): Decision | null | undefined => {
  if (value === null) return null
  if (typeof value !== "object" || value === null) return undefined
  const { code, params = {} } = value as { readonly code?: unknown; readonly params?: unknown }
  if (typeof code !== "string" || code === "" || params === null || typeof params !== "object") return undefined
  return { code, params: params as Decision["params"] }
}

const addCompany = (service: Service, body: Body): Answer => {
  const { country, credit_limit, decision, name, reg_number, vat_number } = body
  const problems: Record<string, string> = {}
  const code = typeof country === "string" ? Country.parse(country) : undefined
  const decided = decision === undefined ? null : decisionOf(decision)
  if (typeof name !== "string" || name === "") problems["name"] = "This field is required."
  if (code === undefined) problems["country"] = "A country is required."
  if (decided === undefined) problems["decision"] = "Give {code, params}, or null."
  if (code === undefined || decided === undefined || Object.keys(problems).length > 0) return bad(problems)
  const added = service.directory.add({
    name: String(name),
    country: code,
    reg_number: typeof reg_number === "string" ? reg_number : "",
    vat_number: typeof vat_number === "string" ? vat_number : null,
    decision: decided,
    credit_limit: (credit_limit ?? null) as { readonly currency: string; readonly amount: string } | null
  })
  service.keepDirectory()
  return created(added)
}

const addFault = (faults: Faults, body: Body): Answer => {
  const problems: Record<string, string> = {}
  if (!KINDS.includes(String(body["kind"]))) problems["kind"] = `One of ${KINDS.join(", ")} is required.`
  for (const name of ["status", "retry_after", "delay_ms", "skip", "times"]) {
    const value = body[name]
    if (value !== undefined && (typeof value !== "number" || !Number.isFinite(value) || value < 0))
      problems[name] = "A number of at least 0 is required."
  }
  for (const name of ["status", "skip", "times"]) {
    if (body[name] !== undefined && !Number.isInteger(body[name])) problems[name] = "A whole number is required."
  }
  for (const name of ["method", "path"])
    if (body[name] !== undefined && typeof body[name] !== "string") problems[name] = "A string is required."
  if (body["kind"] === "status" && !(Number(body["status"]) >= 200 && Number(body["status"]) < 600))
    problems["status"] = "A status is required."
  return Object.keys(problems).length > 0
    ? bad(problems)
    : created({ id: faults.add(body as unknown as Omit<Fault, "id">) })
}
