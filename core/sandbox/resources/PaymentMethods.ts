/**
 * Payment-method preferences of an organisation (DP 2.4): which payment methods its buyer is offered.
 */
import type { Problems } from "../store/Handler.ts"

export interface Method {
  /** `on` or `off`: whether the method is allowed. Read-only. */
  readonly status: string
  /** Whether `preference` can change `status`. Read-only. */
  readonly overridable: boolean
  /** The platform's preference: `on`, `off`, or `default` for none. */
  readonly preference: string
}

export type Methods = Readonly<Record<string, Method>>

/** Assumption: the defaults are not shown. One method cannot be overridden, so that the error can be tested. */
const DEFAULTS: Methods = {
  card: { status: "on", overridable: true, preference: "default" },
  bank_transfer: { status: "on", overridable: true, preference: "default" },
  direct_debit: { status: "on", overridable: true, preference: "default" },
  instant_payment: { status: "off", overridable: false, preference: "default" }
}

/** Rejects preferences for methods that cannot be overridden (rule 2, DP 7 case 5), except `default`. */
export const wishProblems = (before: unknown, wishes: unknown): Problems => {
  const methods = methodsOf(before)
  const refused = preferences(wishes)
    .filter(([type, preference]) => preference !== "default" && methods[type]?.overridable === false)
    .map(([type, preference]) => `The preference of ${type} cannot be "${preference}": it is not overridable.`)
  return refused.length > 0 ? { preference: refused } : {}
}

/**
 * The methods after a valid request. Methods that it does not name keep their setting (rule 1), and unknown types are ignored,
 * as unknown members are.
 */
export const wished = (before: unknown, wishes: unknown): Methods => {
  const methods: Record<string, Method> = { ...methodsOf(before) }
  for (const [type, preference] of preferences(wishes)) {
    const method = methods[type]
    const usual = DEFAULTS[type]
    if (method === undefined || usual === undefined) continue
    methods[type] = {
      ...method,
      preference,
      status: preference === "default" ? usual.status : method.overridable ? preference : method.status
    }
  }
  return methods
}

/** The organisation's methods; the defaults until a preference is set. */
export const methodsOf = (config: unknown): Methods => (config ?? DEFAULTS) as Methods

const preferences = (wishes: unknown): ReadonlyArray<readonly [string, string]> =>
  Object.entries((wishes ?? {}) as Readonly<Record<string, { readonly preference?: string }>>)
    .filter(([type]) => Object.hasOwn(DEFAULTS, type))
    .flatMap(([type, { preference }]) => (preference === undefined ? [] : [[type, preference] as const]))

/** Which payments of a plan each method makes. Assumption: an invoice is paid by bank transfer. */
const PAYS: Readonly<Record<string, string>> = { direct_debit: "direct_debit", bank_transfer: "invoice", card: "card" }

/** Methods in which a plan's payments may be made, by their names in DP 2.7. */
export const allowed = (config: unknown): ReadonlyArray<{ readonly type: string }> =>
  Object.entries(PAYS).flatMap(([method, type]) => (methodsOf(config)[method]?.status === "on" ? [{ type }] : []))
