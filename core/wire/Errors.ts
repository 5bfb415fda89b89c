/**
 * Defines the service's error answers (DP 7, II 7).
 *
 * The wire has no tag, only a status and a body, so every class omits its
 * `_tag` when encoded and adds it when decoded. There is one class per status.
 */
import { Schema, SchemaTransformation } from "effect"
import { HttpApiSchema } from "effect/http-api"

const detail = { detail: Schema.String }

/** 401. Body: `{detail}`. Assumption (DP 7 case 9: not shown). */
export class Unauthorized extends Schema.Error<Unauthorized>("Unauthorized")(
  { _tag: Schema.tagDefaultOmit("Unauthorized"), ...detail },
  { httpApiStatus: 401 }
) {}

/** 402: the payment was declined (II 7). */
export class PaymentFailed extends Schema.Error<PaymentFailed>("PaymentFailed")(
  { _tag: Schema.tagDefaultOmit("PaymentFailed"), ...detail },
  { httpApiStatus: 402 }
) {}

/** 404: no such object, or not visible with this key. */
export class NotFound extends Schema.Error<NotFound>("NotFound")(
  { _tag: Schema.tagDefaultOmit("NotFound"), ...detail },
  { httpApiStatus: 404 }
) {}

/** 409: the object's state does not allow the request. */
export class Conflict extends Schema.Error<Conflict>("Conflict")(
  { _tag: Schema.tagDefaultOmit("Conflict"), ...detail },
  { httpApiStatus: 409 }
) {}

/** 429: retry after the time in `Retry-After` (DP 8). */
export class TooManyRequests extends Schema.Error<TooManyRequests>("TooManyRequests")(
  { _tag: Schema.tagDefaultOmit("TooManyRequests"), ...detail },
  { httpApiStatus: 429 }
) {}

/** 502: the payment processor failed (II 7). */
export class BadGateway extends Schema.Error<BadGateway>("BadGateway")(
  { _tag: Schema.tagDefaultOmit("BadGateway"), ...detail },
  { httpApiStatus: 502 }
) {}

/** 504: the payment provider did not answer in time (II 7). */
export class GatewayTimeout extends Schema.Error<GatewayTimeout>("GatewayTimeout")(
  { _tag: Schema.tagDefaultOmit("GatewayTimeout"), ...detail },
  { httpApiStatus: 504 }
) {}

/** 400. `body` is unchanged, with lists of messages by member, or an `error`, or a `detail`; `problems` parses it. */
export class BadRequest extends Schema.TaggedError<BadRequest>()("BadRequest", {
  body: Schema.Record(Schema.String, Schema.Unknown)
}) {
  static of(problems: { readonly [field: string]: string | ReadonlyArray<string> }): BadRequest {
    return new BadRequest({
      body: Object.fromEntries(Object.entries(problems).map(([k, v]) => [k, typeof v === "string" ? [v] : v]))
    })
  }
  /** Every problem, as `member: message`. */
  get problems(): ReadonlyArray<string> {
    return flatten(this.body)
  }
  override get message(): string {
    return this.problems.join("; ")
  }
}

/** Maximum depth: real error bodies are shallower, and an endlessly nested one must not break the reader. */
const DEEPEST = 20

/** Lists the messages of an error body of any shape, each with the path of its member. */
export const flatten = (body: unknown, path = "", depth = 0): ReadonlyArray<string> => {
  const about = (message: string) => [path === "" ? message : `${path}: ${message}`]
  if (typeof body === "string") return about(body)
  if (depth > DEEPEST) return about("...")
  if (Array.isArray(body)) {
    return body.flatMap((one, index) => flatten(one, typeof one === "string" ? path : `${path}[${index}]`, depth + 1))
  }
  if (body !== null && typeof body === "object") {
    return Object.entries(body).flatMap(([member, value]) =>
      flatten(
        value,
        ["detail", "error", "non_field_errors"].includes(member) ? path : path === "" ? member : `${path}.${member}`,
        depth + 1
      )
    )
  }
  return about(String(body))
}

export const BadRequestBody = Schema.Record(Schema.String, Schema.Unknown).pipe(
  Schema.decodeTo(
    Schema.toType(BadRequest),
    SchemaTransformation.transform<BadRequest, Readonly<Record<string, unknown>>>({
      decode: (body) => new BadRequest({ body }),
      encode: (error) => error.body
    })
  ),
  HttpApiSchema.status(400)
)
