/**
 * Decides which answers are trusted. The service answers JSON in shapes of its own (DP 7, II 7). Anything else, with any
 * status, was written by something in between (a proxy's page, an empty body, other JSON) and does not show what became of
 * the request: the outcome is unknown, and is read back.
 */
import { Option, Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { entryOf } from "./Entry.ts"
import { ServiceApi } from "./Api.ts"
import * as Failure from "./ServiceError.ts"
import { flatten } from "./wire/Errors.ts"
import { fits } from "./wire/Fits.ts"
import { plainly } from "./wire/Plainly.ts"

/** Maximum size of an answer. A page of a hundred transactions needs about one percent of it. */
export const LARGEST_BYTES = 16 * 2 ** 20
/** Maximum size of an error answer. */
export const LARGEST_ERROR_BYTES = 2 ** 20

const MB = 2 ** 20

/** How many bytes are read of an answer with this status. */
export const largest = (status: number): number => (status < 300 ? LARGEST_BYTES : LARGEST_ERROR_BYTES)

export const tooLarge = (status: number): Failure.Unknown =>
  new Failure.Unknown({
    why: `the service answered ${status} with more than ${largest(status) / MB} MB; check service.url, and any proxy in between`
  })

type Members = Readonly<Record<string, unknown>>

const isObject = (body: unknown): body is Members => body !== null && typeof body === "object" && !Array.isArray(body)

/** Messages are nested no deeper than requests are. */
const DEEPEST = 20

const isSaid = (value: unknown): boolean => typeof value === "string" && value.trim() !== ""

/** Lists of messages, nested like the request that they are about. */
const areMessages = (value: unknown, depth = 0): boolean => {
  if (depth > DEEPEST) return false
  if (Array.isArray(value)) return value.every((one) => typeof one === "string" || areMessages(one, depth + 1))
  return isObject(value) && Object.values(value).every((one) => areMessages(one, depth + 1))
}

/** Statuses that the service explains in `detail` (DP 7, II 7). */
const DETAILED = [401, 402, 403, 404, 409, 429]

/** Whether an error body has the shape that the service uses for that status. */
export const isOwnRefusal = (status: number, body: unknown): boolean => {
  if (!isObject(body)) return false
  const values = Object.values(body)
  // The service's errors contain no numbers, while most others do: the status again, or a code (RFC 9457).
  if (values.some((one) => typeof one === "number")) return false
  const { detail, error } = body
  if (DETAILED.includes(status)) return isSaid(detail)
  return isSaid(detail) || isSaid(error) || (values.length > 0 && values.every((one) => areMessages(one)))
}

const kindOf = (text: string, body: unknown): string =>
  text.trim() === ""
    ? "nothing"
    : /^\s*</.test(text)
      ? "a web page"
      : body === undefined
        ? "a body that is not JSON"
        : "unexpected JSON"

/** Whether the media type is JSON or missing; the service never uses `problem+json` or others. */
const isJson = (type: string | undefined): boolean => type === undefined || /^\s*application\/json\s*(;|$)/i.test(type)

const parse = (text: string): unknown =>
  Option.getOrUndefined(Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))(text))

interface Refusal {
  readonly status: number
  readonly type: string | undefined
  readonly text: string
  /** The requested wait, in seconds. */
  readonly retryAfter: number | undefined
}

/** The reason for a status of 300 or more. Redirects are not followed: the key is for one address only. */
export const reasonOf = ({ retryAfter, status, text, type }: Refusal): Failure.Reason => {
  const wait = retryAfter === undefined ? {} : { retryAfter }
  if (status < 400) return new Failure.Unknown({ why: `the service answered ${status}, a redirect; check service.url` })
  if (status >= 500 || status === 408) return new Failure.Unknown({ why: `the service answered ${status}`, ...wait })
  const body = parse(text)
  if (!isJson(type) || !isOwnRefusal(status, body)) {
    const check = status === 401 || status === 403 ? "service.url, service.key" : "service.url"
    const why = `the service answered ${status} with ${kindOf(text, body)}instead of an error message of its own; check ${check}, and any proxy in between`
    return new Failure.Unknown({ why, ...wait })
  }
  if (status === 429) return new Failure.RateLimited({ retryAfter })
  const problems = flatten(body)
  const detail = problems.join("; ")
  if (status === 401 || status === 403) return new Failure.Unauthorized({ status, detail })
  if (status === 404) return new Failure.NotFound({ detail })
  if (status === 409) return new Failure.Conflict({ detail })
  return new Failure.Refused({ status, problems })
}

type Reads = (body: unknown) => boolean

/** For each operation: whether a body is one of its success bodies, and the statuses documented for that body. */
const successes = new Map<
  string,
  {
    readonly nothing: boolean
    readonly reads: ReadonlyArray<Reads>
    readonly plainly: ReadonlyArray<(body: unknown) => unknown>
    readonly statuses: ReadonlyArray<number>
  }
>()
for (const [group, { endpoints }] of Object.entries(ServiceApi.groups)) {
  for (const [name, { success }] of Object.entries(endpoints as Record<string, { success: ReadonlySet<Schema.Top> }>)) {
    const schemas = [...success] as ReadonlyArray<Schema.Top> as ReadonlyArray<Schema.Codec<unknown>>
    const whole = schemas.filter(({ ast }) => !HttpApiSchema.isNoContent(ast))
    successes.set(`${group}.${name}`, {
      nothing: whole.length < schemas.length,
      statuses: whole.map((schema) => Schema.resolveAnnotationsKey(schema)?.httpApiStatus ?? 200),
      reads: whole.map(fits),
      plainly: whole.map(plainly)
    })
  }
}

/**
 * The status as which an answer is read. A service may answer 200 where 201 is documented, and the other way round; the body
 * decides. If both are documented, any other status is read as 200, which claims less.
 */
export const readAs = (operation: string, status: number): number => {
  const { statuses } = entryOf(successes, operation)
  return status === 204 || statuses.length === 0 || statuses.includes(status) ? status : Math.min(...statuses)
}

/** Decodes a body of an operation's only success, or says `DOUBT`, see `Plainly.ts`; undefined if it has several. */
export const decoderOf = (operation: string): ((body: unknown) => unknown) | undefined => {
  const { nothing, plainly } = entryOf(successes, operation)
  return nothing || plainly.length > 1 ? undefined : plainly[0]
}

/** Why a success body is not one that the operation answers with; undefined if it is. */
export const strange = (operation: string, status: number, body: unknown): Failure.Unknown | undefined => {
  const expected = entryOf(successes, operation)
  const fits = status === 204 ? expected.nothing : expected.reads.some((reads) => reads(body))
  if (fits) return undefined
  const what = body === undefined || body === null ? "nothing else" : "not with what was asked for"
  return new Failure.Unknown({ why: `the service answered ${status} and ${what}` })
}
